import dayjs from 'dayjs';
import 'dayjs/locale/it.js';
import { z } from '#contract/validation.ts';

dayjs.locale('it');
// Compiled schemas need `eval`, which the content security policy refuses.
z.config({ jitless: true });
