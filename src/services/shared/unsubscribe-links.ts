import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailPreferences } from '../../entities/members.js';

export type MailCategory = keyof MailPreferences;

/** The mails to end: notifications of these categories to a member, else weekly reports to a contact. */
export interface Unsubscription {
  organizationId: number;
  email: string;
  categories?: readonly MailCategory[] | undefined;
}

/**
 * Addresses that end mails to one reader (RFC 8058). Signed, because they need no token, and without expiry, since mails
 * are read years later. The data is in the query string, which no log contains.
 */
export class UnsubscribeLinks {
  constructor(
    private readonly publicUrl: string,
    private readonly secretKey: string,
    /** Addresses signed with any of these keys are valid. */
    private readonly earlierKeys: readonly string[] = [],
  ) {}

  /** The absolute address; it never expires. */
  address(unsubscription: Unsubscription): string {
    const { organizationId, email, categories } = unsubscription;
    const query = new URLSearchParams({ organization: String(organizationId), email });
    if (categories !== undefined) query.set('categories', categories.join(' '));
    query.set('signature', signed(unsubscription, this.secretKey));
    return `${this.publicUrl}/unsubscribe?${query.toString()}`;
  }

  /** The same as headers of a mail. */
  headers(address: string): Record<string, string> {
    return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  }

  /** Reads an address with a valid signature; undefined for any other. */
  read(query: URLSearchParams): Unsubscription | undefined {
    const categories = query.get('categories')?.split(' ') as MailCategory[] | undefined;
    const [organizationId, email] = [Number(query.get('organization')), query.get('email') ?? ''];
    const unsubscription = { organizationId, email, categories };
    const given = Buffer.from(query.get('signature') ?? '');
    const isSigned = [this.secretKey, ...this.earlierKeys].some((key) => {
      const expected = Buffer.from(signed(unsubscription, key));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isSigned ? unsubscription : undefined;
  }
}

function signed({ organizationId, email, categories }: Unsubscription, key: string): string {
  const mails = categories === undefined ? 'weekly-report' : `notifications:${categories.join(' ')}`;
  return createHmac('sha256', key).update(`unsubscribe:${mails}:${organizationId}:${email}`).digest('base64url');
}
