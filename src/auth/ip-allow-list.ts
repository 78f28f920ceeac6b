import { BlockList } from 'node:net';
import { familyOf, networkOf, type Network, type NetworkFamily } from '../common/formats.js';

/** The networks from which a token may be used; without any, from everywhere. */
export class IpAllowList {
  private readonly lists: Record<NetworkFamily, BlockList> = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** `networks` as `networkOf` has accepted them. */
  constructor(private readonly networks: readonly string[]) {
    for (const text of networks) {
      const { address, prefix, family } = networkOf(text) as Network;
      this.lists[family].addSubnet(address, prefix, family);
    }
  }

  get size(): number {
    return this.networks.length;
  }

  /** False for an unknown address, unless the list is empty. */
  allows(address: string | undefined): boolean {
    if (this.networks.length === 0) return true;
    const family = address === undefined ? undefined : familyOf(address);
    return family !== undefined && this.lists[family].check(address as string, family);
  }

  /** Whether every address of `networks` is on this list. */
  covers(networks: readonly string[]): boolean {
    if (this.networks.length === 0) return true;
    if (networks.length === 0) return false;
    return networks.every((inner) => this.networks.some((outer) => contains(outer, inner)));
  }
}

/** Networks contain each other or are disjoint: one address of the smaller network decides. */
function contains(outerText: string, innerText: string): boolean {
  const outer = networkOf(outerText) as Network;
  const inner = networkOf(innerText) as Network;
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.family);
  return list.check(inner.address, inner.family);
}
