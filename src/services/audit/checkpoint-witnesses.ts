import { throwFailures } from '../../common/failures.js';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { MailQueue } from '../../mail/mailer.js';
import { witnessMail } from '../../mail/platform-mails.js';
import { languageOf } from '../../messages/language.js';
import { recordOrganization } from './subjects.js';
import { checkpointOf, logName, type CheckpointRow } from './trails.js';

const JOB = { kind: 'system', name: 'checkpointWitnesses.notifyDue' } as const;

interface Witnessed extends CheckpointRow {
  id: number;
  name: string;
  sandbox: boolean;
  language: string;
  timeZone: string;
  email: string | null;
}

const [o, l, c] = [table('organization', 'o'), table('audit_log', 'l'), table('audit_checkpoint', 'c')];
const [e, w] = [table('audit_entry', 'e'), table('webhook_endpoint', 'w')];

/** One instance at a time sends checkpoints. */
const lock = statement()(() => sql`select pg_advisory_xact_lock(hashtextextended('checkpoint witnesses', 0))`);

/**
 * The next organization with a witness and its newest checkpoint, unless only entries of this service follow the one
 * before.
 */
const nextDue = statement<{ after: number }>()(
  (p) => sql<Witnessed>`
    select ${o.id}, ${o.name}, ${o.sandbox}, ${o.language}, ${o.time_zone} as "timeZone", ${o.audit_witness_email} as email, newest.*
      from ${o.table} join ${l.table} on ${l.organization_id} = ${o.id}
     cross join lateral (
       select ${c.position}, ${c.hash}, ${c.created_at} as at, ${c.key_id} as "keyId", ${c.signature}, ${c.number},
              ${c.previous}, ${c.chain_signature} as "chainSignature"
         from ${c.table} where ${c.log_id} = ${l.id} order by ${c.position} desc limit 1) newest
     where ${o.id} > ${p('after')} and ${o.deleted_at} is null
       and (${o.audit_witness_email} is not null or exists (
             select from ${w.table} where ${w.organization_id} = ${o.id} and ${w.status} = 'ENABLED'
                and 'AUDIT_CHECKPOINT_SIGNED' = any(${w.actions})))
       and newest.position > coalesce((
             select max(${e.position}) from ${e.table} where ${e.log_id} = ${l.id}
                and ${e.action} = 'AUDIT_CHECKPOINT_SIGNED' and ${e.subject_type} = 'ORGANIZATION'), 0)
     order by ${o.id} limit 1`,
);

/**
 * Sends checkpoints to witnesses that organizations have chosen: by mail, and as an event of webhooks. They prove
 * manipulation by the administrator of the gateway (docs/adr/0046).
 */
export class CheckpointWitnesses {
  constructor(
    private readonly database: Database,
    private readonly mails: MailQueue,
    private readonly now: () => Date,
    private readonly config: { publicUrl: string },
  ) {}

  /**
   * Runs daily, after checkpoints were signed; each is sent once, also with several instances. Errors of
   * organizations are thrown together at the end.
   */
  async notifyDue(): Promise<void> {
    const failures = new Map<number, unknown>();
    for (let after: number | undefined = 0; after !== undefined;) {
      let due: Witnessed | undefined;
      try {
        await this.database.transaction(async (tx) => {
          await lock.all(tx);
          due = await nextDue.first(tx, { after: after! });
          if (due !== undefined) await this.notify(tx, due);
        });
      } catch (error) {
        if (due === undefined) throw error;
        failures.set(due.id, error);
      }
      after = due?.id;
    }
    throwFailures(failures, 'not notified of their checkpoints');
  }

  private async notify(
    tx: Queryable,
    { id, name, sandbox, language, timeZone, email, ...row }: Witnessed,
  ): Promise<void> {
    const checkpoint = checkpointOf(logName({ organizationId: id }), row);
    const { publicUrl } = this.config;
    if (email !== null)
      await this.mails.post(
        tx,
        witnessMail({
          ...{ language: languageOf(language), timeZone, to: email },
          ...{ organization: name, sandbox, checkpoint, publicUrl },
        }),
      );
    const changes = { checkpoint: { after: checkpoint } };
    await recordOrganization(tx, JOB, { id, name }, { action: 'AUDIT_CHECKPOINT_SIGNED', at: this.now(), changes });
  }
}
