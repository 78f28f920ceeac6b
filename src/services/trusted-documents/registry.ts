import { timeOf } from '../../database/clock.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, db, insertSelect, sql, statement, table } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

/** A version of an application, by the application's name and the version's. */
export interface ApplicationVersionName {
  application: string;
  label: string;
}

interface NewDocument {
  /** Lower-case hexadecimal SHA-256 of the text. */
  sha256: string;
  text: string;
  tokens: number;
}

/** Why nothing was changed, for the operator. */
export class RegistryRefusal extends Error {}

const v = table('application_version', 'v');
const d = table('trusted_document', 'd');
const a = table('application_document', 'a');

/** Serializes publications and withdrawals, so that the limits hold. */
const lock = statement()(() => sql`select pg_advisory_xact_lock(7214012)`);

const published = statement<ApplicationVersionName>()((p) =>
  db
    .selectFrom('application_version')
    .select('id')
    .where('application', '=', p('application'))
    .where('label', '=', p('label'))
    .where('withdrawn_at', 'is', null),
);

const digestsOf = statement<{ id: number }>()(
  (p) => sql<{ sha256: string }>`
    select ${d.sha256} from ${a.table} join ${d.table} on ${d.id} = ${a.document_id}
     where ${a.application_version_id} = ${p('id')}`,
);

const insertVersion = statement<ApplicationVersionName & { documents: number; now: Date }>()((p) =>
  db
    .insertInto('application_version')
    .values({
      application: p('application'),
      label: p('label'),
      documents: p('documents'),
      published_at: p('now'),
    })
    .returning('id'),
);

type Columns<Row> = { [Name in keyof Row]: readonly Row[Name][] };

const insertDocuments = statement<Columns<NewDocument>>()((p) => {
  const added = insertSelect('trusted_document', {
    sha256: sql`added.digest`,
    text: sql`added.body`,
    tokens: sql`added.size`,
  });
  const given = sql`unnest(${p('sha256')}::text[], ${p('text')}::text[], ${p('tokens')}::int[])`;
  return sql`${added} from ${given} as added (digest, body, size) on conflict (${column('trusted_document', 'sha256')}) do nothing`;
});

const assign = statement<{ id: number; sha256: readonly string[] }>()((p) => {
  const made = insertSelect('application_document', {
    application_version_id: sql`${p('id')}::bigint`,
    document_id: d.id,
  });
  return sql`${made} from ${d.table} where ${d.sha256} = any(${p('sha256')}::text[])`;
});

const totals = statement()(
  () => sql<{ versions: number; documents: number; tokens: number }>`
    select (select count(*) from ${v.table} where ${v.withdrawn_at} is null) as versions,
           count(*) as documents, coalesce(sum(${d.tokens}), 0)::bigint as tokens
      from ${d.table}`,
);

const endVersion = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('application_version')
    .set({ withdrawn_at: p('now') })
    .where('id', '=', p('id')),
);

const release = statement<{ id: number }>()((p) =>
  db.deleteFrom('application_document').where('application_version_id', '=', p('id')),
);

const removeUnused = statement()(
  () => sql<{ id: number }>`
    delete from ${d.table}
     where not exists (select from ${a.table} where ${a.document_id} = ${d.id}) returning ${d.id}`,
);

/**
 * Registers the documents of a version of an application; returns whether it was new. Idempotent.
 * Throws RegistryRefusal for a version that has other documents, and for more than the limits allow.
 */
export function publish(
  database: Database,
  name: ApplicationVersionName,
  documents: readonly NewDocument[],
): Promise<boolean> {
  const sha256 = documents.map((each) => each.sha256);
  return database.transaction(async (tx) => {
    await lock.all(tx);
    const known = await published.first(tx, name);
    if (known !== undefined) {
      const digests = new Set((await digestsOf.all(tx, known)).map((each) => each.sha256));
      if (digests.size === sha256.length && sha256.every((each) => digests.has(each))) return false;
      throw new RegistryRefusal(
        `Version ${name.label} of ${name.application} is published with other documents: withdraw it first, or publish another version.`,
      );
    }
    const [text, tokens] = [documents.map((each) => each.text), documents.map((each) => each.tokens)];
    await insertDocuments.all(tx, { sha256, text, tokens });
    const { id } = await insertVersion.one(tx, { ...name, documents: documents.length, now: await timeOf(tx) });
    await assign.all(tx, { id, sha256 });
    await requireWithinLimits(tx);
    return true;
  });
}

async function requireWithinLimits(tx: Queryable): Promise<void> {
  const are = await totals.one(tx);
  for (const what of ['versions', 'documents', 'tokens'] as const) {
    const limit = LIMITS.trustedDocument[what];
    if (are[what] > limit)
      throw new RegistryRefusal(
        `With it, ${are[what]} ${what} were published, and ${limit} is the limit: withdraw versions first.`,
      );
  }
}

/** Ends a version, and removes documents that no other version has; returns their number. Throws RegistryRefusal. */
export function withdraw(database: Database, name: ApplicationVersionName): Promise<number> {
  return database.transaction(async (tx) => {
    await lock.all(tx);
    const known = await published.first(tx, name);
    if (known === undefined) throw new RegistryRefusal(`No version ${name.label} of ${name.application} is published.`);
    await endVersion.all(tx, { id: known.id, now: await timeOf(tx) });
    await release.all(tx, known);
    return (await removeUnused.all(tx)).length;
  });
}

/** Every version, also withdrawn ones, newest first. */
export const listVersions = statement()(() =>
  db
    .selectFrom('application_version')
    .select(['application', 'label', 'documents', 'published_at as publishedAt', 'withdrawn_at as withdrawnAt'])
    .orderBy('id', 'desc'),
);

/** Every registered document, with the published versions that have it. */
export const listDocuments = statement()(
  () => sql<{ text: string; versions: string[] }>`
    select ${d.text}, array_agg(${v.application} || ' ' || ${v.label} order by ${v.id}) as versions
      from ${d.table}
      join ${a.table} on ${a.document_id} = ${d.id}
      join ${v.table} on ${v.id} = ${a.application_version_id}
     group by ${d.id} order by min(${v.id}), ${d.id}`,
);
