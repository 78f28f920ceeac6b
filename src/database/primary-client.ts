import { Client, type ClientConfig } from 'pg';

/** Milliseconds in which a server says whether it takes writes. */
const LOOK = 2_000;

/** The addresses of each server that one address names: of `postgresql://user@one:5432,two:5432/name`, two. */
export function serversOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

type Connected = Parameters<Client['connect']>[0];

/**
 * A connection to the server that takes writes, whichever of those it is that `connectionString` names: each is looked at anew for each
 * connection, so that nothing has to be restarted after a failover.
 */
export class PrimaryClient extends Client {
  private readonly servers: readonly ClientConfig[];
  /** Why a certificate that the address names cannot be read; a pool makes its clients where no error is caught. */
  private readonly unreadable: unknown;

  constructor(config: ClientConfig & { connectionString: string }) {
    const servers = serversOf(config.connectionString).map((connectionString) => ({ ...config, connectionString }));
    let unreadable: unknown;
    try {
      super(servers[0]);
    } catch (error) {
      super();
      unreadable = error;
    }
    this.servers = servers;
    this.unreadable = unreadable;
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | void {
    if (this.servers.length === 1 && this.unreadable === undefined)
      return callback === undefined ? super.connect() : super.connect(callback);
    const connected = this.choose().then(() => super.connect());
    if (callback === undefined) return connected;
    const done = callback as (error: Error | null) => void;
    connected.then(() => done(null), done);
  }

  private async choose(): Promise<void> {
    if (this.unreadable !== undefined) throw this.unreadable;
    const { host, port } = await Promise.any(this.servers.map(lookAt)).catch(({ errors }: AggregateError) => {
      throw new AggregateError(errors, errors.map(({ message }: Error) => message).join('; '));
    });
    Object.assign(this, { host, port });
  }
}

/** Answers with the client that it used. Throws what the connection throws, and for a server that takes no writes. */
async function lookAt(server: ClientConfig): Promise<Client> {
  const client = new Client({ ...server, connectionTimeoutMillis: LOOK, query_timeout: LOOK });
  // A connection that breaks fails the statement under way; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ writes: boolean }>(
      `select not (pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean) as writes`,
    );
    if (rows[0]?.writes === true) return client;
    throw Object.assign(new Error('The server takes no writes'), { code: CANNOT_CONNECT_NOW });
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** SQLSTATE of a server that will take connections, but not yet. */
const CANNOT_CONNECT_NOW = '57P03';
