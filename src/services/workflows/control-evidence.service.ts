import { dayAfter, dayOf, MAX_DAY, MIN_DAY, monthsAfter } from '../../common/local-time.js';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { EvidenceState } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { keyOf, type ControlMatch, type ControlRef } from './control-mappings.js';
import type { ControlService, OrganizationControlView } from './controls.service.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { listsOf, type OrganizationWorkflowKey, type WorkflowLists } from './progress.js';

const w = table('organization_workflow', 'w');
const d = table('document_version', 'd');
const s = table('control_state', 's');
const o = table('organization', 'o');

/** The last day on which evidence is fresh; null means without end. Days are `YYYY-MM-DD` in the organization's time zone. */
export type LastDay = string | null;

/** Fields of a version that determine its last day. */
export interface Dated {
  validUntil: LastDay;
  /** When it was true, or else uploaded. */
  day: string;
}

/** Its own last day or, without one, the next review of its control. */
export function lastDayOf({ validUntil, day }: Dated, reviewIntervalMonths: number | null): LastDay {
  if (validUntil !== null || reviewIntervalMonths === null) return validUntil;
  return monthsAfter(day, reviewIntervalMonths);
}

/** The day of a document `d` of the organization `o`: effective or else uploaded, limited to valid days. */
export const DOCUMENT_DAY = sql`least(greatest((coalesce(${d.effective_at}, ${d.created_at}) at time zone ${o.time_zone})::date,
  ${sql.lit(MIN_DAY)}::date), ${sql.lit(MAX_DAY)}::date)`;

/** The last day of a document `d` of the control with the state `s` of the organization `o`. */
export const LAST_DAY = sql`coalesce(${d.valid_until}, (${DOCUMENT_DAY}
  + make_interval(months => ${s.review_interval_months}))::date)`;

/** The organization of a control that is `wanted`, with its time zone. */
export const ZONE_OF_WANTED = sql`(select ${o.time_zone} from ${o.table} where ${o.id} = wanted.organization limit 1) o`;

/** Columns that determine the last day of the newest of several documents `d`; nulls without one. */
export const NEWEST_DATED = sql`(array_agg(${d.valid_until} order by ${d.id} desc))[1]::text as "validUntil",
  (array_agg(${DOCUMENT_DAY} order by ${d.id} desc))[1]::text as day`;

/** Whether evidence with this last day is still fresh `today`. */
export function evidenceStateOf(lastDay: LastDay, today: string): EvidenceState {
  if (lastDay === null) return 'FRESH';
  if (lastDay < today) return 'STALE';
  return lastDay <= dayAfter(today, LIMITS.document.expiringDays) ? 'EXPIRING' : 'FRESH';
}

export interface Freshness {
  /** Null without documents. */
  state: EvidenceState | null;
  /** Null without documents, and when they are fresh without end. */
  validUntil: LastDay;
}

/** The newest document of a control itself, and that of each equivalent control. */
export interface Newest {
  own: Dated | undefined;
  mapped: readonly Dated[];
}

/**
 * By the control's own document if it has one, so that mapped ones do not hide its expiry. Else by the
 * equivalent control that is valid for longest, each for no longer than the review interval of this one.
 */
export function freshnessOf({ own, mapped }: Newest, reviewIntervalMonths: number | null, today: string): Freshness {
  const lastDays = own
    ? [lastDayOf(own, reviewIntervalMonths)]
    : mapped.map(({ validUntil, day }) =>
        firstOf(validUntil, lastDayOf({ validUntil: null, day }, reviewIntervalMonths)),
      );
  if (lastDays.length === 0) return { state: null, validUntil: null };
  const validUntil = lastDays.reduce((one, other) =>
    one === null || other === null ? null : one > other ? one : other,
  );
  return { state: evidenceStateOf(validUntil, today), validUntil };
}

function firstOf(one: LastDay, other: LastDay): LastDay {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export interface OrganizationControlKey extends ControlRef {
  organizationId: number;
}

/** A control for freshness checks, with the required columns. */
export interface ReviewedControl extends OrganizationControlKey {
  reviewIntervalMonths: number | null;
}

/** An equivalent control that has documents. */
export interface EvidenceSource extends ControlMatch {
  organizationId: number;
  label: string;
  /** Its stored document versions. */
  documents: number;
}

/** Number of document versions that show that a control is met. */
export interface ControlEvidence extends Freshness {
  own: number;
  /** Those of equivalent controls. */
  mapped: number;
  total: number;
  /** The controls of the mapped ones. */
  sources: EvidenceSource[];
}

/** The number of documents of a control, and the fields for the last day of the newest. */
interface DocumentCount extends OrganizationControlKey, Dated {
  count: number;
}

/** Counts documents; those of a dissociated workflow do not count until it is associated again. */
const countDocuments = statement<ControlLists>()(
  (p) => sql<DocumentCount>`
    select wanted.organization as "organizationId", wanted.workflow as "workflowId", wanted.control as "controlId", kept.*
      from unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[], ${p('controlIds')}::text[])
             as wanted(organization, workflow, control)
     cross join lateral ${ZONE_OF_WANTED}
     cross join lateral (
       select from ${w.table}
        where ${w.organization_id} = wanted.organization and ${w.workflow_id} = wanted.workflow limit 1) associated
     cross join lateral (
       select count(*) as count, ${NEWEST_DATED}
         from ${d.table}
        where ${d.organization_id} = wanted.organization and ${d.workflow_id} = wanted.workflow
          and ${d.artifact_id} = wanted.control) kept
     where kept.count > 0`,
);

/** Documents that count for controls: their own, and those of equivalent controls. */
export class ControlEvidenceService {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
    private readonly controls: Pick<ControlService, 'ofWorkflows'>,
    private readonly now: () => Date,
  ) {}

  /** For each workflow, how many of its controls are done on stale evidence. */
  async stale(keys: readonly OrganizationWorkflowKey[]): Promise<number[]> {
    return this.staleAmong(await this.controls.ofWorkflows(keys));
  }

  /** The same where the controls of each workflow were read already. */
  async staleAmong(workflows: readonly (readonly OrganizationControlView[])[]): Promise<number[]> {
    const done = workflows.map((controls) => controls.filter(({ status }) => status === 'DONE'));
    const all = done.flat();
    const evidence = await this.of(all);
    const stale = new Set(all.filter((_control, index) => evidence[index]?.state === 'STALE'));
    return done.map((controls) => controls.filter((control) => stale.has(control)).length);
  }

  /** One for each control, in one statement. The controls were authorized. */
  async of(controls: readonly ReviewedControl[], database: Queryable = this.database): Promise<ControlEvidence[]> {
    const ids = controls.map(({ organizationId }) => organizationId);
    const catalogs = await this.catalogs.ofMany(ids, database);
    const wanted = controls.map((control) => {
      const { organizationId } = control;
      const matches = catalogs.get(organizationId)?.matches(control) ?? [];
      return { control, matches: matches.map((match) => ({ organizationId, ...match })) };
    });
    const keys = wanted.flatMap(({ control, matches }) => [control, ...matches]);
    const counts = await documentCounts(database, keys);
    return wanted.map(({ control, matches }) => {
      const sources = matches.flatMap((match) => {
        const documents = counts.get(keyText(match))?.count;
        return documents === undefined ? [] : [{ ...match, documents }];
      });
      const own = counts.get(keyText(control));
      const mapped = sources.reduce((sum, { documents }) => sum + documents, 0);
      const newest = { own, mapped: matches.flatMap((match) => counts.get(keyText(match)) ?? []) };
      const { timeZone = 'UTC' } = catalogs.get(control.organizationId) ?? {};
      const freshness = freshnessOf(newest, control.reviewIntervalMonths, dayOf(this.now(), timeZone));
      const count = own?.count ?? 0;
      return { own: count, mapped, total: count + mapped, sources, ...freshness };
    });
  }
}

async function documentCounts(
  database: Queryable,
  controls: readonly OrganizationControlKey[],
): Promise<ReadonlyMap<string, DocumentCount>> {
  const selection = distinctControls(controls);
  const rows = await countDocuments.all(database, controlLists(selection));
  return new Map(rows.map((row) => [keyText(row), row]));
}

/** Each once: many controls match the same one. */
export function distinctControls<Control extends OrganizationControlKey>(controls: readonly Control[]): Control[] {
  return [...new Map(controls.map((control) => [keyText(control), control])).values()];
}

/** Controls as the lists of a statement. */
export type ControlLists = WorkflowLists & { controlIds: readonly string[] };

export function controlLists(controls: readonly OrganizationControlKey[]): ControlLists {
  return { ...listsOf(controls), controlIds: controls.map(({ controlId }) => controlId) };
}

/** A control as the key of a map. */
export function keyText(control: OrganizationControlKey): string {
  return `${control.organizationId}/${keyOf(control)}`;
}
