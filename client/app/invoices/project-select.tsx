import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { periodOf } from '#client/app/projects/distinct-names.ts';
import { DOT } from '#client/lib/words.ts';
import { type SearchFieldProps, SearchSelect } from '#client/ui/search-select.tsx';
import type { SelectOption } from '#client/ui/select-options.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import type { CustomerProject } from '#contract/customers.ts';
import type { NamedProject } from './invoice-form.ts';

/** A found project, or the chosen one before it is found, of which only the name is known. */
type ListedProject = NamedProject & Partial<Omit<CustomerProject, keyof NamedProject>>;

function projectOption({ id, name, location, status, ...dates }: ListedProject): SelectOption {
  const details = [location, status].filter(Boolean).join(DOT);
  return { value: String(id), label: name, details, further: periodOf(dates) };
}

/** A select of projects, searched on the server because there may be more than a list can hold. */
export const ProjectSelect = memoWithStableHandlers(View) as typeof View;

function View<Answer, Found extends { items: ListedProject[] }, Key extends QueryKey>({
  onChange,
  ...field
}: SearchFieldProps & {
  /** The query for projects that match a search, newest first. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  /** Shown when there are none. */
  nothingFound: string;
  chosen: NamedProject | null;
  onChange: (project: NamedProject | null) => void;
}) {
  return (
    <SearchSelect<ListedProject, Answer, Found, Key>
      {...field}
      optionOf={projectOption}
      // Found projects have more fields, which would make the same project compare as different.
      onChange={(project) => onChange(project && { id: project.id, name: project.name })}
    />
  );
}
