/**
 * The first peer: Node's HTTP server and `pg`, written by hand for exactly the measured requests. Without
 * authentication, validation and framework, it shows the practical limit of this language on this database.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ByHandDocuments } from './by-hand-documents.js';
import type { ORGANIZATION_BODY } from './organization-body.js';
import { PAGE_SIZE, peer } from './peer.js';
import { PeerDatabase } from './peer-database.js';
import * as sql from './statements.js';

const database = await PeerDatabase.open();
const documents = new ByHandDocuments(database, peer.files, peer.writerName);
const USERS_PATH = /^\/api\/v1\/organizations\/(\d+)\/users$/;
const VERSIONS_PATH = /^\/api\/v1\/v-ciso\/organizations\/(\d+)\/workflows\/([^/]+)\/documents\/([^/]+)\/versions$/;

createServer((request, response) => {
  route(request, response).catch((error: unknown) => {
    console.error(error);
    send(response, 500, '{"error":1,"messages":[]}');
  });
}).listen(peer.port, '127.0.0.1');

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, url = '' } = request;
  if (method === 'GET') {
    if (url === '/api/v1/notifications') return send(response, 200, await notifications(peer.callerOf(headers) ?? ''));
    const users = USERS_PATH.exec(url);
    if (users) return send(response, 200, await usersOf(Number(users[1])));
    if (url === '/ready') return send(response, 200, '');
  } else if (method === 'POST') {
    if (url === '/api/v1/organizations') return createOrganization(request, response);
    const versions = VERSIONS_PATH.exec(url);
    if (versions) return upload(request, response, versions);
  }
  send(response, 404, '{"error":1,"messages":[1004]}');
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

const USERS = { name: 'users', text: sql.USERS, count: sql.COUNT_USERS };
const NOTIFICATIONS = { name: 'notifications', text: sql.NOTIFICATIONS, count: sql.COUNT_NOTIFICATIONS };

async function usersOf(organizationId: number): Promise<string> {
  const { rows, total } = await database.page<sql.UserRow>(USERS, organizationId, PAGE_SIZE);
  const data = rows.map((row) => ({
    id: row.id,
    username: row.username,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    role: row.role,
    alerts: { atb: row.alert_atb, cloud_defender: row.alert_cloud_defender, v_ciso: row.alert_v_ciso },
  }));
  return JSON.stringify({ error: 0, messages: [], data, total });
}

async function notifications(userId: string): Promise<string> {
  const { rows, total } = await database.page<sql.NotificationRow>(NOTIFICATIONS, userId, PAGE_SIZE);
  const data = rows.map((row) => ({
    id: row.id,
    organization: { id: row.organization_id, name: row.organization_name, logo: row.organization_logo },
    title: row.title,
    message: row.message,
    type: row.type,
    action: row.action,
    read: row.read,
    datetime: row.created_at,
    icon: row.icon,
    extra: { href: row.href },
  }));
  return JSON.stringify({ error: 0, messages: [], data, total });
}

async function createOrganization(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse((await bodyOf(request)).toString()) as typeof ORGANIZATION_BODY;
  const [row] = await database.write<sql.CreatedRow>('create', sql.CREATE_ORGANIZATION, [
    body.name,
    body.description,
    body.number_employees,
    body.website,
    body.logo,
    body.sectors,
    body.industries,
    body.nis2_sector,
    JSON.stringify(body.compliance_frameworks),
    body.infrastructure,
    JSON.stringify(body.contacts),
    body.domains,
    body.ips,
    peer.callerOf(request.headers),
  ]);
  const { id, created_at, updated_at } = row as sql.CreatedRow;
  response.setHeader('Location', `/api/v1/organizations/${id}`);
  send(response, 201, JSON.stringify({ error: 0, messages: [], data: { id, ...body, created_at, updated_at } }));
}

async function upload(request: IncomingMessage, response: ServerResponse, path: RegExpExecArray): Promise<void> {
  const [, organizationId, workflowId, artifactId] = path as unknown as [string, string, string, string];
  const artifact = { organizationId: Number(organizationId), workflowId, artifactId };
  const { created, version } = await documents.upload(artifact, await bodyOf(request));
  send(response, created ? 201 : 200, JSON.stringify({ error: 0, messages: [], data: version }));
}

/** Reads the body into one buffer of its full size. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const body = Buffer.allocUnsafe(Number(request.headers['content-length']));
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) length += chunk.copy(body, length);
  return body;
}
