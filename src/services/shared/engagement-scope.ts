import { sql, statement, table, type Placeholders } from '../../database/sql.js';

const d = table('document_version', 'd');
const e = table('engagement', 'e');
const w = table('organization_workflow', 'w');

export interface EngagementScope {
  id: number;
  organizationId: number;
  name: string;
  /** Ids of all of its workflows. */
  named: string[];
  /** Of these, the ones associated with the organization: dissociated workflows are out of scope. */
  workflows: string[];
  from: string;
  to: string;
  until: string;
  version: number;
}

/** Not authorized here: callers authorize reading of the scope before. */
export const engagementScope = statement<{ id: number }>()(
  (p) => sql<EngagementScope>`
    select ${e.id}, ${e.organization_id} as "organizationId", ${e.name}, ${e.period_from} as "from", ${e.period_to} as "to",
           ${e.until}, ${e.version}, ${e.workflows} as named, array(
             select ${w.workflow_id} from ${w.table}
              where ${w.organization_id} = ${e.organization_id} and ${w.workflow_id} = any(${e.workflows})
              order by ${w.workflow_id}) as workflows
      from ${e.table} where ${e.id} = ${p('id')}`,
);

/** The associated ones of these workflows. */
export const associatedOf = statement<{ organizationId: number; named: readonly string[] }>()(
  (p) => sql<{ id: string }>`
    select ${w.workflow_id} as id from ${w.table}
     where ${w.organization_id} = ${p('organizationId')} and ${w.workflow_id} = any(${p('named')}::text[])
     order by ${w.workflow_id}`,
);

export type ScopeValues = Pick<EngagementScope, 'from' | 'to' | 'workflows'>;

/** For a document version `d` of the organization: in a workflow of the scope, and true, or else uploaded, in the period. */
export function documentInScope(p: Placeholders<ScopeValues>) {
  return sql<boolean>`${d.workflow_id} = any(${p('workflows')}::text[])
    and coalesce(${d.effective_at}, ${d.created_at}) >= ${p('from')}::timestamptz
    and coalesce(${d.effective_at}, ${d.created_at}) < ${p('to')}::timestamptz`;
}
