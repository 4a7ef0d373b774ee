import { isSampleEmployee } from '#contract/employees.ts';
import { AppError } from '#server/errors.ts';

/** Sample records have no owner and cannot be changed (spec §4). @throws AppError sample_record */
export function refuseSampleEmployee(employeeId: number): void {
  if (isSampleEmployee(employeeId)) throw new AppError('sample_record');
}
