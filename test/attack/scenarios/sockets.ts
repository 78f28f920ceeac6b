import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../../src/values/limits.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { RawSocket } from '../../support/live.js';
import { GoodClient } from '../support/http.js';
import { openConnections, descriptorsOf, fallsTo } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

/**
 * Seconds after which a stalled client must be disconnected, and the number of descriptors above the base that may
 * remain.
 */
const RELEASE_SECONDS = 150;
const SLACK = 20;
/** Maximum waiting time in milliseconds of a good client, on a machine that is busy with the attack. */
const STALL_MS = 10_000;
/** Number of connections that ping, and of pings of each. */
const PINGING = 10;
const PINGS = 2_000;

/** Clients that occupy connections: incomplete heads and bodies, unread responses, floods. */
export async function sockets({ startLimited, facts, report }: Testbed): Promise<void> {
  const gateway = await startLimited();
  const good = new GoodClient(gateway, { path: '/api/v1/token', token: facts.tokens.viewer });
  await sleep(1_000);
  const base = descriptorsOf(gateway.pid);
  const token = `X-Service-Token: ${facts.tokens.newcomer}\r\n`;
  await Promise.all([
    stalled('400 half-sent heads', 400, 10, (lastByte) => halfHead(gateway, lastByte)),
    stalled('bodies at 1 byte/s, without a token', 60, 20, (lastByte) => slowBody(gateway, lastByte, '')),
    stalled('bodies at 1 byte/s, with a token', 60, 30, (lastByte) => slowBody(gateway, lastByte, token)),
    stalled('answers that are not read', 60, 40, (lastByte) => slowReader(gateway, lastByte)),
  ]);
  await flood('3,000 connections from one address', 3_000, () => 50);
  await flood('connections from 60 addresses', 6_000, (at) => 60 + (at % 60));
  await pings('pings of the protocol', (raw) => raw.send({ type: 'ping' }));
  await pings('pongs of WebSocket', (raw) => raw.socket.pong());
  const { passed, figures } = await good.stop(STALL_MS);
  report.record('a good client is served throughout', 'all along', passed, figures);

  /** Connections from four addresses; each has to be closed although its client leaves it open. */
  async function stalled(attack: string, count: number, first: number, open: (lastByte: number) => Socket) {
    const opened = Array.from({ length: count }, (_, at) => open(first + (at % 4)));
    await Promise.all(opened.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await sleep(1_000);
    const connections = () => openConnections(gateway.port, first, first + 3);
    const most = connections();
    const { passed, after, last } = await fallsTo(0, RELEASE_SECONDS, connections);
    report.record(attack, count, passed, `held ${most} of them after 1 s, ${last} after ${after} s`);
    for (const socket of opened) socket.destroy();
  }

  /** Messages without effect, far more than a connection may send in a minute: it is closed for them. */
  async function pings(attack: string, ping: (raw: RawSocket) => void): Promise<void> {
    const opened = await Promise.all(
      Array.from({ length: PINGING }, () =>
        RawSocket.as(`ws://127.0.0.1:${gateway.port}/graphql`, facts.tokens.stranger),
      ),
    );
    for (let sent = 0; sent < PINGS; sent += 1) {
      for (const raw of opened) if (raw.socket.readyState === raw.socket.OPEN) ping(raw);
      if (sent % 50 === 49) await sleep(20);
    }
    const waited = sleep(STALL_MS, { code: 0, reason: 'still open' });
    const ends = await Promise.all(opened.map(({ closed }) => Promise.race([closed, waited])));
    const pongs = opened.map(({ messages }) => messages.filter(({ type }) => type === 'pong').length);
    const most = Math.max(...pongs);
    const isClosed = ends.every(({ code }) => code === 4429);
    const codes = [...new Set(ends.map(({ code, reason }) => `${code} ${reason}`))].join(', ');
    report.record(
      attack,
      PINGING * PINGS,
      isClosed && most < LIMITS.live.messagesPerMinute,
      `${codes}; ${most} pongs at most`,
    );
    for (const { socket } of opened) socket.terminate();
  }

  /** Silent connections: fewer than attempted are accepted from one address, and all are closed with their clients. */
  async function flood(attack: string, count: number, lastByte: (at: number) => number): Promise<void> {
    const opened: Socket[] = [];
    for (let at = 0; at < count; at += 1) {
      opened.push(open(gateway, lastByte(at)));
      if (at % 100 === 99) await sleep(20);
    }
    await sleep(2_000);
    const most = openConnections(gateway.port, 50, 120);
    for (const socket of opened) socket.destroy();
    const { passed, after, last } = await fallsTo(base + SLACK, 30, () => descriptorsOf(gateway.pid));
    report.record(
      attack,
      count,
      passed && (lastByte(0) !== lastByte(1) || most < count),
      `kept at most ${most}; descriptors ${base}, ${last} after ${after} s`,
    );
  }
}

/** A connection from 127.0.0.`lastByte`. */
function open({ port }: GatewayProcess, lastByte: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${lastByte}` });
  return socket.on('error', () => undefined);
}

function halfHead(gateway: GatewayProcess, lastByte: number): Socket {
  const socket = open(gateway, lastByte);
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Half: ');
  return socket;
}

function slowBody(gateway: GatewayProcess, lastByte: number, header: string): Socket {
  const socket = open(gateway, lastByte);
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n';
  socket.write(`${head}${header}\r\n{"query":"`);
  const drip = setInterval(() => socket.write('x'), 1_000);
  return socket.once('close', () => clearInterval(drip));
}

/** Requests more than the buffers of both ends can store, and reads none of it. */
function slowReader(gateway: GatewayProcess, lastByte: number): Socket {
  const socket = open(gateway, lastByte).pause();
  socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20));
  return socket;
}
