/**
 * A customer's own JSON is answered as it was sent (decisions §8). The keys are in every spelling there is, so that
 * anybody who renames one shows.
 */
export const PLUGIN_CONFIGS = {
  perimeter: {
    mode: 'enforce',
    block_list: { 'dnsbl.zones': ['bl.example.net', 'zen.example.org'], refreshMinutes: 15, '2fa-exempt': [] },
    'GeoIP:deny': ['XX', 'ZZ'],
    VPN: { MTU: 1380, split_tunnel: false, 'allowed IPs': ['10.20.0.0/16'] },
    'Schwellenwert %': 0.85,
    on_failure: null,
  },
  webShield: {
    'X-Real-IP': { trust: true, proxies: ['192.0.2.1', '192.0.2.2'] },
    rate_limit: { perMinute: 120, burst_size: 40, 'by-path': { '/login': 10, '/api/*': 300 } },
    Rules: [
      { ID: 'R-001', action: 'deny', match_any: ['*.php~', '.git/'] },
      { ID: 'R-002', action: 'log', matchAll: { User_Agent: 'curl/*', 'path.prefix': '/admin' } },
    ],
    __notes: 'Ask Tommaso before changing R-001',
  },
} as const;
