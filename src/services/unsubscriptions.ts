import type { Queryable } from '../database/database.js';
import type { Unsubscription, UnsubscribeLinks } from './unsubscribe-links.js';

// The version grows, so that whoever is changing the organization at this moment does not set the flag again unseen. One
// that was deleted can be restored, and its reports must not begin again then.
const CLEAR = `
  update organization o
     set version = version + 1, updated_at = $3,
         contacts = (select jsonb_agg(case when lower(c.contact->>'email') = lower($2)
                                           then c.contact || '{"emailReport": false}' else c.contact end order by c.place)
                       from jsonb_array_elements(o.contacts) with ordinality as c(contact, place))
   where o.id = $1
     and exists (select 1 from jsonb_array_elements(o.contacts) as c(contact)
                  where lower(c.contact->>'email') = lower($2) and (c.contact->>'emailReport')::boolean)`;

/** What a link to unsubscribe is about, as its page shows it. */
export interface UnsubscriptionView {
  email: string;
  /** Name of the organization; undefined when it was deleted. */
  organization: string | undefined;
}

/** Ends weekly reports by the links in their mails: whoever holds one may, and may do nothing else with it. */
export class UnsubscriptionService {
  constructor(
    private readonly database: Queryable,
    private readonly links: UnsubscribeLinks,
    private readonly now: () => Date,
  ) {}

  /** Undefined for an address that was not made here. */
  async find(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const asked = this.links.read(query);
    return asked && this.view(asked);
  }

  /** Clears `email_report` of the contact. Whoever asks again, or was unsubscribed otherwise, hears the same. */
  async apply(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const asked = this.links.read(query);
    if (asked === undefined) return undefined;
    await this.database.rows(CLEAR, [asked.organizationId, asked.email, this.now().toISOString()]);
    return this.view(asked);
  }

  private async view({ organizationId, email }: Unsubscription): Promise<UnsubscriptionView> {
    const [found] = await this.database.rows<{ name: string }>(
      'select name from organization where id = $1 and deleted_at is null',
      [organizationId],
    );
    return { email, organization: found?.name };
  }
}
