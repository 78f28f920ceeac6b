import { createGatewayClient, dataOf, type GatewayClient, type Retry } from '@compliance-gateway/client';
import { CommandError, UsageError } from './errors.js';
import { numberIn, type Given } from './given.js';
import { readCredentials } from './credentials.js';
import { Output } from './output.js';

/** The surroundings of a command: the gateway, its output, and the signal that ends it. */
export class Context {
  readonly output: Output;
  private known?: Promise<GatewayClient>;

  constructor(
    private readonly given: Given,
    /** Aborted when the user ends the program. */
    readonly signal: AbortSignal,
  ) {
    this.output = new Output(given.has('json') ? 'JSON' : 'TEXT');
  }

  /** A client with the stored credentials, or with COMPLIANCE_TOKEN. */
  client(): Promise<GatewayClient> {
    this.known ??= this.connection().then(({ url, token }) => this.clientOf(url, token));
    return this.known;
  }

  clientOf(url: string, token?: string): GatewayClient {
    const onRetry = ({ seconds, cause }: Retry) =>
      this.output.note(`${reasonOf(cause)}: trying again in ${Math.ceil(seconds)} s`);
    try {
      return createGatewayClient({
        url,
        ...(token !== undefined && { token }),
        signal: this.signal,
        retry: { onRetry },
      });
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }

  /** The address given by an option or the environment. */
  namedUrl(): string | undefined {
    return this.given.text('url') ?? (process.env['COMPLIANCE_URL'] || undefined);
  }

  /** The organization given by an option, or the only one that the token can access. */
  async organization(): Promise<number> {
    const named = this.given.text('organization') ?? (process.env['COMPLIANCE_ORGANIZATION'] || undefined);
    if (named !== undefined) return numberIn(named, '--organization');
    const { organizations } = await dataOf((await this.client()).GET('/api/v1/token'));
    const [only, ...others] = organizations;
    if (only === undefined) throw new CommandError('The token reaches no organization');
    if (others.length === 0) return only.organization.id;
    const list = organizations.map(({ organization: { id, name } }) => `${id} (${name})`).join(', ');
    throw new UsageError(`Say which organization, as in --organization ${only.organization.id}: ${list}`);
  }

  private async connection(): Promise<{ url: string; token: string }> {
    const named = this.namedUrl();
    const token = process.env['COMPLIANCE_TOKEN'];
    const stored = token && named ? undefined : await readCredentials();
    const url = named ?? stored?.url;
    if (url === undefined)
      throw new UsageError('Run "compliance login --url ADDRESS" first, or set COMPLIANCE_URL and COMPLIANCE_TOKEN');
    if (token) return { url, token };
    if (stored === undefined) throw new UsageError('Run "compliance login" first, or set COMPLIANCE_TOKEN');
    // A stored token is sent only to the address that it was stored for.
    if (this.clientOf(url).url !== stored.url)
      throw new UsageError(`The stored token is for ${stored.url}: run "compliance login --url ${url}" to change that`);
    return { url, token: stored.token };
  }
}

/** The reason of a failed response, in a few words. */
export function reasonOf(cause: Response | Error): string {
  if (!(cause instanceof Error)) return `The gateway answers ${cause.status}`;
  const { cause: inner } = cause as { cause?: { code?: string; message?: string } };
  const detail = inner?.code ?? inner?.message;
  return detail === undefined ? cause.message : `The gateway cannot be reached (${detail})`;
}
