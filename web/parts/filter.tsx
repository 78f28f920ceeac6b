import type { ComponentChildren } from 'preact';
import { isDay } from '../days.js';
import { go } from '../router.js';
import { text } from '../texts.js';
import { useZoneHint } from './basics.js';
import { Choice, Field } from './form.js';

/** The query of the page's address: the filter of a list, and the shown page of it. */
export const useQuery = () => new URLSearchParams(location.search);

interface FilterChoice {
  /** Its name in the query. */
  name: string;
  label: string;
  /** The label for no choice; "any" when absent. */
  none?: string;
  options: readonly { value: string; label: string }[];
}

interface FilterDay {
  name: string;
  label: string;
  /** The choice is made in another part of the page. */
  isElsewhere?: true;
}

interface FilterProps {
  choices?: readonly FilterChoice[];
  days?: readonly FilterDay[];
  /** The filtered list, hidden while the address has an invalid value: it would show another filter. */
  children: ComponentChildren;
}

/** Changes the address to one with this value and the first page of its list. */
export function setQuery(name: string, value: string | null): void {
  const next = new URLSearchParams(location.search);
  next.delete('after');
  next.delete('before');
  if (value === null) next.delete(name);
  else next.set(name, value);
  go(`${location.pathname}${next.size === 0 ? '' : `?${next}`}`, 'replace');
}

/** Filters of a list, stored in the address, so that a link shows the same. */
export function Filter({ choices = [], days = [], children }: FilterProps) {
  const query = useQuery();
  const zone = useZoneHint();
  const change = (name: string, value: string) => setQuery(name, value === '' ? null : value);
  const wrong = invalidValues(query, choices, days);
  return (
    <>
      <div class="filter">
        {choices.map(({ name, label, none = text('pages.filter.any'), options }) => (
          <Choice
            key={name}
            {...{ label, none, options }}
            value={query.get(name) ?? ''}
            onChange={(value) => change(name, value)}
          />
        ))}
        {days.map(
          ({ name, label, isElsewhere }) =>
            isElsewhere !== true && (
              <Field key={name} label={label} hint={zone}>
                <input
                  type="date"
                  value={query.get(name) ?? ''}
                  onChange={(event) => change(name, event.currentTarget.value)}
                />
              </Field>
            ),
        )}
      </div>
      {wrong.map(({ name, sentence }) => (
        <div key={name} class="trouble" role="alert">
          <strong>{sentence}</strong>
          <p class="below">
            <button onClick={() => setQuery(name, null)}>{text('pages.filter.remove')}</button>
          </p>
        </div>
      ))}
      {wrong.length === 0 && children}
    </>
  );
}

/** Invalid filter values in the address, with the valid ones. */
function invalidValues(query: URLSearchParams, choices: readonly FilterChoice[], days: readonly FilterDay[]) {
  const given = (name: string) => query.getAll(name).join(', ');
  const ofChoices = choices
    .filter(({ name, options }) => query.has(name) && !options.some(({ value }) => value === given(name)))
    .map(({ name, label, options }) => {
      const allowed = options.map((option) => `${option.value} (${option.label})`).join(', ');
      return { name, sentence: text('pages.filter.noValue', { value: given(name), label, allowed }) };
    });
  const ofDays = days
    .filter(({ name }) => query.has(name) && !isDay(given(name)))
    .map(({ name, label }) => ({ name, sentence: text('pages.filter.noDay', { value: given(name), label }) }));
  return [...ofChoices, ...ofDays];
}
