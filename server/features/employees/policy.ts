import { isSampleEmployee } from '#contract/employees.ts';
import { AppError } from '#server/http/errors.ts';

/** Examples belong to nobody and change for nobody (spec §4). @throws AppError sample_record */
export function refuseSampleEmployee(employeeId: number): void {
  if (isSampleEmployee(employeeId)) throw new AppError('sample_record');
}
