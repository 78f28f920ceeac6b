import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Result } from './apis.js';
import type { TestGateway } from './gateway.js';

/** Generations of the protocol: the stateless one, and the earlier ones. */
export const ERAS = ['2026-07-28', 'earlier'] as const;
export type Era = (typeof ERAS)[number];

export interface ClientOptions {
  era?: Era;
  name?: string;
  headers?: Record<string, string>;
}

/** The official client, connected with a token; its tools are listed, so that it validates results by their schemas. */
export async function connectMcp(
  { url }: Pick<TestGateway, 'url'>,
  token: string,
  { era = '2026-07-28', name = 'a test', headers = { authorization: `Bearer ${token}` } }: ClientOptions = {},
): Promise<Client> {
  const mode = era === '2026-07-28' ? { pin: era } : 'legacy';
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  await client.listTools();
  return client;
}

/** An error of a tool. */
export interface ToolError {
  code: string;
  message: string;
  messages: (string | number)[];
  reason?: string;
  fields?: { argument: string; message: string }[];
}

/** Result of a call, in the common form of both APIs. */
export interface Called extends Pick<Result, 'code' | 'data'> {
  errors?: ToolError[];
  text: string;
}

/** Calls a tool: its data, or its errors. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [block] = content;
  if (content.length !== 1 || block?.type !== 'text') throw new Error(`No text: ${JSON.stringify(content)}`);
  const { text } = block;
  const said = JSON.parse(text) as { errors?: ToolError[]; data?: unknown };
  if (isError) return { code: said.errors?.[0]?.code ?? '', errors: said.errors ?? [], data: said.data, text };
  if (JSON.stringify(structuredContent) !== text) throw new Error(`The text is not the content: ${text}`);
  return { code: 'OK', data: structuredContent, text };
}

/** A transmitted message of the protocol before 2026-07-28. */
export function postMcp(
  { url }: Pick<TestGateway, 'url'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${url}/mcp`, { method: 'POST', body: text, headers: { ...JSON_HEADERS, ...headers } });
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
};
