import { expect } from '@jest/globals';
import type { TestGateway } from './gateway.js';
import { Browser, type Lie, type LyingProvider } from './identity-providers.js';
import { buildOrganization, buildPerson, join } from './test-data.js';

let numbers = 0;

/** Organizations with a connected provider, and people who sign in through the lying one. */
export class SignIns {
  /** TXT records of DNS. */
  readonly records = new Map<string, string>();
  /** The answer of the DNS for other names. */
  dnsError = 'ENOTFOUND';
  readonly resolveTxt = async (name: string) => {
    const text = this.records.get(name);
    if (text === undefined) throw Object.assign(new Error('queryTxt'), { code: this.dnsError });
    return [[text]];
  };

  private gateway!: TestGateway;

  constructor(private readonly liar: LyingProvider) {}

  at(gateway: TestGateway): this {
    this.gateway = gateway;
    return this;
  }

  /** An organization with an owner, and a provider for a verified domain. */
  async connected(settings: object = {}, issuer = this.liar.issuer, proven?: string) {
    const { app, rest } = this.gateway;
    const name = `org-${(numbers += 1)}`;
    const organizationId = await buildOrganization(app.database, name);
    const owner = await buildPerson(app.database, 'owner');
    await join(app.database, owner, organizationId, 'ORGANIZATION_OWNER');
    const domain = proven ?? `${name}.example`;
    const path = `/api/v1/organizations/${organizationId}/identity-providers`;
    const { token } = owner;
    const client = { client_id: 'gateway', client_secret: 'a secret of the client', default_role: 'VIEWER' };
    const made = await rest.post(path, { token, body: { name, issuer, domains: [domain], ...client, ...settings } });
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { id, domain_proofs: proofs } = made.body.data;
    this.records.set(proofs[0].record_name, proofs[0].record_text);
    expect((await rest.post(`${path}/${id}/verify-domain`, { token, body: { domain } })).status).toBe(200);
    return { organizationId, owner, name, domain, id: id as number };
  }

  /** Begins a sign-in at the gateway and returns with a code, as the lying provider redirects the browser. */
  async comeBack({ name }: Connected, lie: Lie, browser = new Browser(), further = '') {
    const { liar } = this;
    const { url } = this.gateway;
    liar.lie = lie;
    const at = further === '' ? (await browser.begin(url, name)).url : await this.sentOn(browser, `${name}${further}`);
    liar.nonce = at.searchParams.get('nonce')!;
    const back = `${url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`;
    return { browser, back, at };
  }

  /** For an application. */
  private async sentOn(browser: Browser, query: string): Promise<URL> {
    const begun = await browser.request(`${this.gateway.url}/sign-in?organization=${query}`);
    return new URL(begun.headers.get('location')!);
  }

  async signInByLie(provider: Connected, lie: Lie, browser = new Browser()) {
    const { back } = await this.comeBack(provider, lie, browser);
    const response = await browser.request(back);
    const token = browser.cookie(this.gateway.url, 'session');
    return { browser, status: response.status, text: await response.text(), token };
  }

  async memberOf(email: string, organizationId: number) {
    const [row] = await this.gateway.app.database.rows<{ role: string }>(
      'select m.role from membership m join app_user u on u.id = m.user_id where u.email = $1 and m.organization_id = $2',
      [email, organizationId],
    );
    return row?.role;
  }

  async trail(organizationId: number) {
    const entries = await this.gateway.app.database.rows<{ action: string }>(
      'select e.action from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position',
      [organizationId],
    );
    return entries.map(({ action }) => action);
  }
}

export type Connected = Awaited<ReturnType<SignIns['connected']>>;

/** Claims of a person of a verified domain. */
export const person = (provider: Connected, name: string) => ({
  sub: `${provider.name}-${name}`,
  email: `${name}@${provider.domain}`,
  email_verified: true,
});
