import { Client, type ClientConfig } from 'pg';

/** Milliseconds in which a server has to report whether it is writable. */
const LOOK = 2_000;

/** The URLs of the servers that one URL names: two for `postgresql://user@one:5432,two:5432/name`. */
export function serversOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

type Connected = Parameters<Client['connect']>[0];

/**
 * A connection to the writable server among those of `connectionString`. Servers are checked for each connection, so
 * that a failover needs no restart.
 */
export class PrimaryClient extends Client {
  private readonly servers: readonly ClientConfig[];
  /** Why a certificate of the URL cannot be read; a pool creates its clients where no error is caught. */
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

/** Resolves with the client that it used. Throws errors of the connection, and for a read-only server. */
async function lookAt(server: ClientConfig): Promise<Client> {
  const client = new Client({ ...server, connectionTimeoutMillis: LOOK, query_timeout: LOOK });
  // A connection that breaks fails the running statement; without a listener it would end the process.
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

/** SQLSTATE of a server that is starting up. */
const CANNOT_CONNECT_NOW = '57P03';
