import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { type SearchFieldProps, SearchSelect } from '#client/ui/search-select.tsx';
import type { SelectOption } from '#client/ui/select-options.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import type { NamedProject } from './invoice-form.ts';

const projectOption = ({ id, name }: NamedProject): SelectOption => ({ value: String(id), label: name });

/** One project, searched on the server: there may be more than a list holds. */
export const ProjectSelect = memoWithStableHandlers(View) as typeof View;

function View<Answer, Found extends { items: NamedProject[] }, Key extends QueryKey>({
  onChange,
  ...field
}: SearchFieldProps & {
  /** Asks for the projects that a search finds, the newest first. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  /** Shown when there are none. */
  nothingFound: string;
  chosen: NamedProject | null;
  onChange: (project: NamedProject | null) => void;
}) {
  return (
    <SearchSelect<NamedProject, Answer, Found, Key>
      {...field}
      optionOf={projectOption}
      // What is found holds more, by which the same project would seem another.
      onChange={(project) => onChange(project && { id: project.id, name: project.name })}
    />
  );
}
