import dayjs from 'dayjs';
import 'dayjs/locale/it.js';
import { z } from 'zod';
import { it } from 'zod/locales';

// Dates and schema messages speak Italian before the first page of the application renders.
dayjs.locale('it');
z.config(it());
