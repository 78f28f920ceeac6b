import type { IncomingMessage } from 'node:http';
import { isRecord } from '../common/keywords.js';
import type { Message, ServerInfo } from './mcp-server.js';
import type { ToolCall, ToolCalls, ToolResult } from './tool-calls.js';

/** A call of a tool as the official clients send it, in which the package has nothing to decide. */
interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly isEarlier: boolean;
}

/**
 * Answers a plain call without the package, which takes as long as a small operation (docs/adr/0043): the answer is the
 * same. Undefined for any other message.
 */
export async function answerDirectly(
  request: IncomingMessage,
  message: Message,
  call: ToolCall,
  { calls, info }: { calls: ToolCalls; info: ServerInfo },
): Promise<string | undefined> {
  const plain = plainCall(request, message);
  if (plain === undefined) return undefined;
  const result = await calls.run(plain.name, plain.sent, call);
  return result && answerOf(plain, result, info);
}

const KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMETERS = new Set(['name', 'arguments', '_meta']);
const ACCEPT = 'application/json, text/event-stream';
const CURRENT = '2026-07-28';
const EARLIER: readonly unknown[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** The beginning of keys of `_meta` that the protocol itself defines since then. */
const OWN = 'io.modelcontextprotocol/';

function plainCall({ headers }: IncomingMessage, message: Message): PlainCall | undefined {
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || headers.accept !== ACCEPT) return undefined;
  if (!(typeof id === 'string' || Number.isSafeInteger(id)) || !hasOnly(message, KEYS)) return undefined;
  if (!isRecord(params) || !hasOnly(params, PARAMETERS)) return undefined;
  const { name, arguments: sent = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isRecord(sent) || !isRecord(meta)) return undefined;
  const isEarlier = EARLIER.includes(headers['mcp-protocol-version']);
  const isPlain = isEarlier ? isPlainEarlier(headers, meta) : isPlainNow(headers, meta, name);
  return isPlain ? { id: id as string | number, name, sent, isEarlier } : undefined;
}

function isPlainEarlier(headers: IncomingMessage['headers'], meta: Message): boolean {
  if (headers['mcp-method'] !== undefined || headers['mcp-name'] !== undefined) return false;
  return Object.keys(meta).every((key) => !key.startsWith(OWN));
}

function isPlainNow(headers: IncomingMessage['headers'], meta: Message, name: string): boolean {
  const { [`${OWN}clientInfo`]: client, [`${OWN}clientCapabilities`]: capabilities } = meta;
  const versions = [headers['mcp-protocol-version'], meta[`${OWN}protocolVersion`]];
  return (
    versions.every((version) => version === CURRENT) &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name &&
    isRecord(client) &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    isRecord(capabilities) &&
    Object.keys(capabilities).length === 0
  );
}

function hasOnly(object: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => keys.has(key));
}

/** The data is written once: the text is the content, and is quoted in it. */
function answerOf({ id, isEarlier }: PlainCall, { content, structuredContent, isError }: ToolResult, info: ServerInfo) {
  const { text } = content[0]!;
  const structured = structuredContent === undefined ? '' : `,"structuredContent":${text}`;
  const failed = isError ? ',"isError":true' : '';
  const since = isEarlier ? '' : `,"resultType":"complete","_meta":${JSON.stringify({ [`${OWN}serverInfo`]: info })}`;
  const result = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]${structured}${failed}${since}}`;
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
