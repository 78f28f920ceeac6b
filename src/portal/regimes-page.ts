import { escapeHtml } from '../common/escape-html.js';
import { toSnakeCase } from '../common/naming.js';
import type { Language } from '../messages/language.js';
import type { KeyBelow } from '../messages/message-key.js';
import type { Deadline, Period, Regime } from '../services/incidents/reporting-regimes.js';
import type { IncidentReportStage } from '../values/enums.js';
import { bar, htmlPage } from './page.js';
import { htmlOf, link } from './words.js';

interface RegimesPage {
  regimes: readonly Regime[];
  explorer: boolean;
  language: Language;
}

/** The page of `GET /regimes`: laws with their reports, since when, and the differences between versions. */
export function regimesPage({ regimes, explorer, language }: RegimesPage): string {
  const versions = Map.groupBy(
    regimes.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1)),
    ({ id }) => id,
  );
  const sections = [...versions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const nameOf = (id: string, regime: Regime | undefined) => escapeHtml(language.translated(regime?.name ?? id));
  const guide = link('./guides/incidents', language.text('web-page.regimes.guideName'));
  const title = htmlOf(language, 'regimes.title');
  const body = `${bar({ explorer, language })}
<main id="content" class="wide">
<div class="title"><h1>${title}</h1></div>
<section class="card prose">
<p>${htmlOf(language, 'regimes.intro')} ${htmlOf(language, 'regimes.guide', { guide })}</p>
<ul>${sections.map(([id, [first]]) => `<li><a href="#${id}">${nameOf(id, first)}</a></li>`).join('')}</ul>
</section>
${sections.map(([id, all]) => regimeSection(`<h2 id="${id}">${nameOf(id, all.at(-1))} <code>${id}</code></h2>`, all, language)).join('\n')}
</main>`;
  return htmlPage({ lang: language.tag, title: language.text('web-page.regimes.title'), body });
}

/** The last day of a version that has none. */
const UNLIMITED = '9999-12-31';

/** The newest version first, each with its changes. */
function regimeSection(head: string, versions: readonly Regime[], language: Language): string {
  const parts = versions.map((regime, index) => {
    const before = versions[index - 1];
    return versionPart(regime, language) + (before === undefined ? '' : changesPart(before, regime, language));
  });
  return `<section class="card prose">\n${head}\n${parts.toReversed().join('\n')}\n</section>`;
}

function versionPart(regime: Regime, language: Language): string {
  const { source, validFrom, validUntil, checkedOn, scope, national } = regime;
  const said = (text: string) => escapeHtml(language.translated(text));
  const days = { from: language.day(validFrom), until: language.day(validUntil) };
  const others = scope === null ? [] : [scope.outside, ...scope.exceptions.map((each) => each.reason)];
  return `<h3>${htmlOf(language, validUntil === UNLIMITED ? 'regimes.inForce' : 'regimes.inForceUntil', days)}</h3>
<p><a href="${escapeHtml(source.url)}">${said(source.text)}</a> ${
    checkedOn === null
      ? htmlOf(language, 'regimes.notCompared')
      : htmlOf(language, 'regimes.compared', { day: language.day(checkedOn) })
  }</p>
<p>${htmlOf(language, 'regimes.applies', { reason: language.translated(regime.reason) })}</p>
${others.length > 0 ? `<p>${htmlOf(language, 'regimes.otherwise')}</p><ul>${others.map((text) => `<li>${said(text)}</li>`).join('')}</ul>` : ''}
${table(columns(language, ['report', 'when', 'recipient', 'provisions']), stageRows(regime, language))}${national.length > 0 ? countriesPart(national, language) : ''}`;
}

function stageRows({ stages }: Regime, language: Language): string[][] {
  const text = (key: KeyBelow<'web-page.regimes'>, values: Record<string, string>) =>
    language.text(`web-page.regimes.${key}`, values);
  const law = (provision: string | null) => ({ law: language.translated(provision ?? '') });
  return stages.map((stage) => {
    const derogations = stage.derogations.map((each) =>
      text('where', { term: deadlineText(each, language), reason: language.translated(each.reason) }),
    );
    const laws = [...new Set(stage.fields.map((field) => language.translated(field.law)))].join('; ');
    const reports = stage.mayInclude.map((each) => stageLabel(each, language)).join(', ');
    const remarks = [
      stage.onlyWhere && language.translated(stage.onlyWhere),
      stage.notDue && text('notDue', law(stage.notDue)),
      stage.alreadyProvided && text('alreadyProvided', law(stage.alreadyProvided)),
      reports && text('mayInclude', { reports }),
    ];
    const terms = [deadlineText(stage, language), ...derogations].map((term) => `${term.replace(/\.$/, '')}.`);
    const when = [...terms, ...remarks].filter(Boolean).join(' ');
    return [stageLabel(stage.stage, language), when, language.translated(stage.recipient), laws];
  });
}

function countriesPart(rules: Regime['national'], language: Language): string {
  const said = (text: string) => language.translated(text);
  const rows = rules
    .toSorted((one, other) => (one.country < other.country ? -1 : 1))
    .map(({ country, validFrom, checkedOn, checked, remarks, regime }) => {
      const { recipient, portalUrl } = regime.stages[0] as Regime['stages'][number];
      const act = [regime.source.text, ...(remarks === null ? [] : [remarks])].map(said).join(' ');
      const portal = portalUrl ?? language.text('web-page.regimes.noPortal');
      const day = language.day(validFrom);
      return [country, day, act, said(recipient), portal, `${language.day(checkedOn)}: ${said(checked)}`];
    });
  return `<h4>${htmlOf(language, 'regimes.countries')}</h4>
${table(columns(language, ['country', 'awareness', 'act', 'recipient', 'portal', 'checked']), rows)}`;
}

function changesPart(before: Regime, after: Regime, language: Language): string {
  const said = (text = '') => language.translated(text);
  const rows = regimeChanges(before, after).map(({ place, from, to }) => [place, said(from), said(to)]);
  return `<h3>${htmlOf(language, 'regimes.changes', { day: language.day(before.validFrom) })}</h3>
${table(columns(language, ['place', 'before', 'after']), rows)}`;
}

const columns = (language: Language, names: readonly KeyBelow<'web-page.regimes.column'>[]) =>
  names.map((name) => language.text(`web-page.regimes.column.${name}`));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${contentOf(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="table" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
}

/** An address is code, which wraps to the next line in print. */
const contentOf = (cell: string) => (/^https:\S+$/.test(cell) ? `<code>${escapeHtml(cell)}</code>` : escapeHtml(cell));

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

const stageLabel = (stage: IncidentReportStage, language: Language) =>
  language.text(`enums.IncidentReportStage.${stage}`);

/** The beginning of a term where that is no report. */
type Occasion = KeyBelow<'web-page.regimes.trigger'>;

/** `72 hours after awareness` */
function deadlineText(deadline: Deadline, language: Language): string {
  const { trigger, after, period, latestAwareHours, nextWorkingDay, wholeDays } = deadline;
  const text = (key: KeyBelow<'web-page.regimes'>, values?: Record<string, string | number>) =>
    language.text(`web-page.regimes.${key}`, values);
  if (trigger === 'REQUEST' || trigger === 'WITHOUT_DELAY') return text(`term.${trigger}`);
  const from =
    after === null
      ? text(`trigger.${trigger as Occasion}`)
      : text('trigger.report', { stage: stageLabel(after, language) });
  if (trigger === 'MONTHLY_WHILE_OPEN') return text('term.monthly', { from });
  const [[unit, count]] = Object.entries(period) as [[keyof Period, number]];
  const term = text(`term.${unit}`, { count, from });
  if (latestAwareHours !== null) return text('term.latest', { term, count: latestAwareHours });
  if (wholeDays !== null) return text('term.wholeDays', { term, law: language.translated(wholeDays.law) });
  if (nextWorkingDay === null) return term;
  return text('term.nextWorkingDay', {
    ...{ term, time: nextWorkingDay.until },
    law: language.translated(nextWorkingDay.law),
  });
}
