import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whose reports of which organization end. */
export interface Unsubscription {
  organizationId: number;
  email: string;
}

/**
 * Addresses that end the weekly report for one contact (RFC 8058). Signed, because they need no token, and without an
 * end: a mail may be read years later. All of it is in the query string, which no log holds.
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
