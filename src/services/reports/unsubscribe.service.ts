import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
import { column, db, sql, statement, table } from '../../database/sql.js';

const o = table('organization', 'o');

// The version grows, so that a concurrent change of the organization does not set the flag again. Deleted organizations
// count, because they can be restored.
const clear = statement<Unsubscription & { now: Date }>()(
  (p) => sql`
    update ${o.table}
       set ${column('organization', 'version')} = ${o.version} + 1, ${column('organization', 'updated_at')} = ${p('now')},
           ${column('organization', 'contacts')} = (
             select jsonb_agg(case when lower(c.contact->>'email') = lower(${p('email')})
                                   then c.contact || '{"emailReport": false}' else c.contact end order by c.place)
               from jsonb_array_elements(${o.contacts}) with ordinality as c(contact, place))
     where ${o.id} = ${p('organizationId')}
       and exists (select 1 from jsonb_array_elements(${o.contacts}) as c(contact)
                    where lower(c.contact->>'email') = lower(${p('email')}) and (c.contact->>'emailReport')::boolean)`,
);

const nameOf = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization').select('name').where('id', '=', p('organizationId')).where('deleted_at', 'is', null),
);

/** What a link to unsubscribe is about, as its page shows it. */
export interface UnsubscriptionView {
  email: string;
  /** Name of the organization; undefined when it was deleted. */
  organization: string | undefined;
}

/** Ends weekly reports by the links in their mails, which permit nothing else. */
export class UnsubscriptionService {
  constructor(
    private readonly database: Queryable,
    private readonly links: UnsubscribeLinks,
    private readonly now: () => Date,
  ) {}

  /** Undefined for an address that was not made here. */
  async find(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    return selection && this.view(selection);
  }

  /** Clears `email_report` of the contact; repeating it has the same answer. */
  async apply(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    if (selection === undefined) return undefined;
    await clear.all(this.database, { ...selection, now: this.now() });
    return this.view(selection);
  }

  private async view({ organizationId, email }: Unsubscription): Promise<UnsubscriptionView> {
    const found = await nameOf.first(this.database, { organizationId });
    return { email, organization: found?.name };
  }
}

/** Contact and organization of the reports that end. */
export interface Unsubscription {
  organizationId: number;
  email: string;
}

/**
 * Addresses that end the weekly report for one contact (RFC 8058). Signed, because they need no token, and without
 * expiry, since mails are read years later. The data is in the query string, which no log contains.
 */
export class UnsubscribeLinks {
  constructor(
    private readonly publicUrl: string,
    private readonly secretKey: string,
  ) {}

  /** The absolute address for one contact of one organization; it never expires. */
  address({ organizationId, email }: Unsubscription): string {
    const signature = this.sign({ organizationId, email });
    const query = new URLSearchParams({ organization: String(organizationId), email, signature });
    return `${this.publicUrl}/unsubscribe?${query.toString()}`;
  }

  /** What an address that was made here is about; undefined for any other. */
  read(query: URLSearchParams): Unsubscription | undefined {
    const organizationId = Number(query.get('organization'));
    const email = query.get('email') ?? '';
    const given = Buffer.from(query.get('signature') ?? '');
    const expected = Buffer.from(this.sign({ organizationId, email }));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return { organizationId, email };
  }

  private sign({ organizationId, email }: Unsubscription): string {
    return createHmac('sha256', this.secretKey)
      .update(`unsubscribe:weekly-report:${organizationId}:${email}`)
      .digest('base64url');
  }
}
