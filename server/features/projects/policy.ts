import { isSampleProject } from '#contract/projects.ts';
import { AppError } from '#server/http/errors.ts';

/** Examples belong to nobody and change for nobody (spec §4). @throws AppError sample_record */
export function refuseSampleProject(projectId: number): void {
  if (isSampleProject(projectId)) throw new AppError('sample_record');
}
