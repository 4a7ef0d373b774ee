import { isSampleProject } from '#contract/projects.ts';
import { AppError } from '#server/errors.ts';

/** Sample records have no owner and cannot be changed (spec §4). @throws AppError sample_record */
export function refuseSampleProject(projectId: number): void {
  if (isSampleProject(projectId)) throw new AppError('sample_record');
}
