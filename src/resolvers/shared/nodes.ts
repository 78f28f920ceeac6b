import type { GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { notFound } from '../../errors.js';
import { selectionFor } from '../../graphql/selection.js';
import { asNode, declareNode, type KeyParts, type NodeKey, parseNodeId } from '../../schema/shared/node.js';
import type { Services } from '../../services/index.js';

type NodeReader<Key> = (services: Services, caller: Caller, key: Key, selection: Selection) => object | Promise<object>;

const readers = new Map<string, NodeReader<KeyParts>>();

/**
 * Gives a type an identity: what its key consists of (`?` marks a part that may be absent), and how an object is read by
 * it, as its own query reads it, with the same authorization.
 */
export function nodeOf<const Key extends readonly [string, ...string[]]>(
  { name }: abstract new () => object,
  key: Key,
  read: NodeReader<NodeKey<Key[number]>>,
): void {
  declareNode(name, key);
  readers.set(name, read as NodeReader<KeyParts>);
}

/** Reads a node by its id for a field of type Node. Throws NOT_FOUND, and as its reader throws. */
export async function readNode(
  services: Services,
  id: string,
  caller: Caller,
  info: GraphQLResolveInfo,
): Promise<object> {
  const { type, key } = parseNodeId(id) ?? absent();
  const read = readers.get(type) ?? absent();
  return asNode(type, await read(services, caller, key, selectionFor(info, type)));
}

export function absent(): never {
  throw notFound();
}
