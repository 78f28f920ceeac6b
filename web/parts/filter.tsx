import { go } from '../router.js';
import { Choice, Field } from './form.js';

/** The query of the address of the open page: what a list is filtered by, and which of its pages is shown. */
export const useQuery = () => new URLSearchParams(location.search);

interface FilterChoice {
  /** In the query. */
  name: string;
  label: string;
  none: string;
  options: readonly { value: string; label: string }[];
}

interface FilterProps {
  choices?: readonly FilterChoice[];
  /** Names and labels of days. */
  days?: readonly { name: string; label: string }[];
}

/** Changes the address to one with this value, of the first page of its list. */
export function setQuery(name: string, value: string | null): void {
  const next = new URLSearchParams(location.search);
  next.delete('after');
  next.delete('before');
  if (value === null) next.delete(name);
  else next.set(name, value);
  go(`${location.pathname}${next.size === 0 ? '' : `?${next}`}`, 'replace');
}

/** Filters of a list, which the address keeps: a link to it shows the same. */
export function Filter({ choices = [], days = [] }: FilterProps) {
  const query = useQuery();
  const change = (name: string, value: string) => setQuery(name, value === '' ? null : value);
  return (
    <div class="filter">
      {choices.map(({ name, label, none, options }) => (
        <Choice
          key={name}
          {...{ label, none, options }}
          value={query.get(name) ?? ''}
          onChange={(value) => change(name, value)}
        />
      ))}
      {days.map(({ name, label }) => (
        <Field key={name} label={label}>
          <input
            type="date"
            value={query.get(name) ?? ''}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        </Field>
      ))}
    </div>
  );
}
