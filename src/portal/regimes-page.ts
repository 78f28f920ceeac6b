import { escapeHtml } from '../common/escape-html.js';
import { toSnakeCase } from '../common/naming.js';
import type { Deadline, Regime } from '../services/incidents/reporting-regimes.js';
import { bar, htmlPage } from './page.js';

/** The page of `GET /regimes`: which law asks for which report, since when, and what has changed between its versions. */
export function regimesPage({ regimes, explorer }: { regimes: readonly Regime[]; explorer: boolean }): string {
  const versions = Map.groupBy(
    regimes.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1)),
    ({ id }) => id,
  );
  const sections = [...versions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const body = `${bar({ explorer })}
<main id="content" class="wide">
<div class="title"><h1>Reporting regimes</h1></div>
<section class="card prose">
<p>The laws that ask for reports after an incident, as this gateway applies them. This is no legal advice: authorities decide.
How they are chosen, and what the words mean: <a href="./guides/incidents">Incidents and their reports</a>.</p>
<ul>${sections.map(([id, [first]]) => `<li><a href="#${id}">${escapeHtml(first?.name ?? id)}</a></li>`).join('')}</ul>
</section>
${sections.map(([id, all]) => regimeSection(id, all)).join('\n')}
</main>`;
  return htmlPage({ title: 'Reporting regimes', body });
}

/** The last day of a version that has none. */
const UNLIMITED = '9999-12-31';

/** The newest version first, each with what it has changed. */
function regimeSection(id: string, versions: readonly Regime[]): string {
  const parts = versions.map((regime, index) => {
    const before = versions[index - 1];
    return versionPart(regime) + (before === undefined ? '' : changesPart(before, regime));
  });
  const head = `<h2 id="${id}">${escapeHtml(versions.at(-1)?.name ?? id)} <code>${id}</code></h2>`;
  return `<section class="card prose">\n${head}\n${parts.toReversed().join('\n')}\n</section>`;
}

function versionPart({ source, validFrom, validUntil, checked, reason, scope, stages, national }: Regime): string {
  const until = validUntil === UNLIMITED ? '' : ` until ${validUntil}`;
  const rows = stages.map((stage) => {
    const terms = [stage, ...stage.derogations].map((each, index) =>
      index === 0 ? deadlineText(each) : `${deadlineText(each)}, where: ${stage.derogations[index - 1]?.reason}`,
    );
    const laws = [...new Set(stage.fields.map(({ law }) => law))].join('; ');
    const remarks = [
      stage.onlyWhere,
      stage.notDue && `May be recorded as not due: ${stage.notDue}.`,
      stage.alreadyProvided && `Not sent where it was already provided: ${stage.alreadyProvided}.`,
      stage.mayInclude.length > 0 && `May be sent in one with: ${stage.mayInclude.map(words).join(', ')}.`,
    ];
    const texts = [`${terms.join('. ')}.`, ...remarks].filter((text): text is string => Boolean(text));
    return [words(stage.stage), texts.join(' '), stage.recipient, laws];
  });
  const others = scope === null ? [] : [scope.outside, ...scope.exceptions.map((each) => each.reason)];
  return `<h3>In force since ${validFrom}${until}</h3>
<p><a href="${escapeHtml(source.url)}">${escapeHtml(source.text)}</a> Compared with the act: ${checked ?? 'not stated'}.</p>
<p>Applies where: ${escapeHtml(reason)}</p>
${others.length > 0 ? `<p>Else it is said:</p><ul>${others.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>` : ''}
${table(['Report', 'When', 'To whom', 'Provisions'], rows)}${national.length > 0 ? countriesPart(national) : ''}`;
}

function countriesPart(rules: Regime['national']): string {
  const rows = rules
    .toSorted((one, other) => (one.country < other.country ? -1 : 1))
    .map(({ country, validFrom, checkedOn, checked, remarks, regime }) => {
      const { recipient, portalUrl } = regime.stages[0] as Regime['stages'][number];
      const act = [regime.source.text, remarks].filter((text) => text !== null).join(' ');
      return [country, validFrom, act, recipient, portalUrl ?? 'none known', `${checkedOn}: ${checked}`];
    });
  return `<h4>In countries</h4>
${table(['Country', 'Awareness from', 'Act', 'To whom', 'Portal', 'Checked'], rows)}`;
}

function changesPart(before: Regime, after: Regime): string {
  const rows = regimeChanges(before, after).map(({ place, from, to }) => [place, from ?? '', to ?? '']);
  return `<h3>Changes from the version of ${before.validFrom}</h3>
${table(['Where', 'Before', 'After'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="table" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
}

interface RegimeChange {
  place: string;
  from: string | undefined;
  to: string | undefined;
}

type Texts = Map<string, string>;

/** Each text that two versions of a regime have differently, in the order of the later one. */
export function regimeChanges(before: Regime, after: Regime): RegimeChange[] {
  const [old, fresh] = [before, after].map((regime) => textsOf({ ...regime, national: [] })) as [Texts, Texts];
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((place) => ({ place, from: old.get(place), to: fresh.get(place) }))
    .filter(({ from, to }) => from !== to);
}

/** Fields that parts of a list are named by. */
const NAMES = ['stage', 'key', 'id'] as const;

/** Every text of a regime by its place, such as `stages NOTIFICATION recipient`. */
function textsOf(value: unknown, path: readonly string[] = [], found: Texts = new Map()): Texts {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    if (value.length > 0) found.set(path.join(' '), value.join(', '));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      const name = NAMES.map((part) => (each as Record<string, unknown> | null)?.[part]).find(
        (part) => part !== undefined,
      );
      if (key !== 'holidays')
        textsOf(each, [...path, Array.isArray(value) && name ? String(name) : toSnakeCase(key)], found);
    }
  } else if (value !== null && value !== UNLIMITED) found.set(path.join(' '), String(value));
  return found;
}

const words = (stage: string) => stage.toLowerCase().replaceAll('_', ' ');

const TRIGGERS: Readonly<Partial<Record<Deadline['trigger'], string>>> = {
  AWARE: 'awareness',
  CLASSIFIED: 'the classification as major',
  HANDLED: 'the end of the handling',
  FIX_AVAILABLE: 'a corrective or mitigating measure is available',
};

/** `72 hours after awareness` */
function deadlineText({ trigger, after, period, latestAwareHours, nextWorkingDay }: Deadline): string {
  if (trigger === 'REQUEST') return 'On request, by the deadline that the authority gives';
  if (trigger === 'WITHOUT_DELAY') return 'Without undue delay';
  const from = TRIGGERS[trigger] ?? `the ${words(after ?? '')}`;
  if (trigger === 'MONTHLY_WHILE_OPEN') return `Each month after ${from}, while the incident is handled`;
  const [[unit, number] = ['', 0]] = Object.entries(period);
  const length = `${number} ${number === 1 ? unit.slice(0, -1) : unit} after ${from}`;
  const latest = latestAwareHours === null ? '' : `, ${latestAwareHours} hours after awareness at the latest`;
  const extended = nextWorkingDay
    ? `, and from a day that is not a working day until ${nextWorkingDay.until} of the next one (${nextWorkingDay.law})`
    : '';
  return `${length}${latest}${extended}`;
}
