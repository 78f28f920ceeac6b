/** What routes are about, in the order of the interface description. */
export const TAGS: Readonly<Record<string, string>> = {
  Organizations: 'Organizations with their profile, users and branding.',
  Account: 'What the caller decides for itself: its names, its alerts, its tokens.',
  Documents: 'Files that show how a control of a workflow is met, in versions.',
  Incidents: 'Security incidents, the reports that NIS 2 asks for, and files attached to them.',
  'Edge protection': 'Configurations of edge-protection devices (path segment `cloud-defender`).',
  'Threat blocker': 'Configurations of threat-blocker devices (path segment `atb`).',
  Workflows: 'Compliance frameworks and task sets, and how far organizations are with them.',
  Notifications: 'Messages to the authenticated user.',
  Search: 'Text in everything that the caller may see.',
  Files: 'Signed addresses of files. They need no token.',
  Interface: 'This description, and what forms can offer.',
};
