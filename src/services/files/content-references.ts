import type { Queryable } from '../../database/database.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import { DomainError } from '../../errors.js';

const d = table('document_version', 'd');
const a = table('incident_attachment', 'a');
const o = table('organization', 'o');
const j = table('import_job', 'j');

/** SHA-256 of a stored logo, as the expression of its index. */
const logoContent = sql<string | null>`substring(${o.logo} from '^/logos/([0-9a-f]{64})[.]')`;

function isReferenced(sha256: Expression): Expression {
  return sql`exists (select from ${d.table} where ${d.sha256} = ${sha256})
    or exists (select from ${a.table} where ${a.sha256} = ${sha256})
    or exists (select from ${o.table} where ${logoContent} = ${sha256})
    or exists (select from ${j.table} where ${j.archive} = ${sha256})`;
}

/** Whether a row refers to the content. */
export const referenced = statement<{ sha256: string }>()(
  (p) => sql<{ referenced: boolean }>`select ${isReferenced(p('sha256'))} as referenced`,
);

/** Those contents of some that a row refers to. */
export const referencedAmong = statement<{ batch: readonly string[] }>()(
  (p) => sql<{ sha256: string }>`
    select sha256 from unnest(${p('batch')}::text[]) as stored(sha256) where ${isReferenced(sql`stored.sha256`)}`,
);

const anyReferenced = statement<object>()(
  () => sql<{ referenced: boolean }>`
    select exists (select from ${d.table}) or exists (select from ${a.table})
        or exists (select from ${o.table} where ${logoContent} is not null)
        or exists (select from ${j.table} where ${j.archive} is not null) as referenced`,
);

export async function isAnyReferenced(tx: Queryable): Promise<boolean> {
  return (await anyReferenced.one(tx, {})).referenced;
}

/** Every referenced content, once. */
export const allReferenced = statement<object>()(
  () => sql<{ sha256: string }>`
    select ${d.sha256} as sha256 from ${d.table} union select ${a.sha256} from ${a.table}
     union select ${logoContent} from ${o.table} where ${logoContent} is not null
     union select ${j.archive} from ${j.table} where ${j.archive} is not null order by 1`,
);

/** The rows that refer to a content, for an operator, each with its organization. */
export const referringTo = statement<{ sha256: string }>()(
  (p) => sql<{ row: string; organizationId: number }>`
    select concat('document ', ${d.id}) as row, ${d.organization_id} as "organizationId" from ${d.table}
     where ${d.sha256} = ${p('sha256')}
     union all select concat('attachment ', ${a.id}, ' of incident ', ${a.incident_id}), ${a.organization_id} from ${a.table}
     where ${a.sha256} = ${p('sha256')}
     union all select 'the logo', ${o.id} from ${o.table} where ${logoContent} = ${p('sha256')}
     union all select concat('import ', ${j.id}), ${j.organization_id} from ${j.table} where ${j.archive} = ${p('sha256')}`,
);

/** Opens referenced content: missing bytes are a loss, unless the row was deleted in the meantime. */
export async function openReferenced<Opened>(
  sha256: string,
  open: () => Promise<Opened>,
  isReferenced: () => Promise<unknown>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'NOT_FOUND';
    if (!isGone || (await isReferenced()) === undefined) throw error;
    throw new Error(`The bytes of a stored file are gone: ${sha256}`, { cause: error });
  }
}
