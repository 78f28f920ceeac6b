import { allows, toMembers } from './domain.js';

export const ATTESTATIONS = {
  privileges: {
    ...allows('VIEWER', 'write', {
      ATTEST_CONTROLS: 'Attest controls that one answers for.',
    }),
    ...allows('SECURITY_OFFICER', 'write', {
      COUNTERSIGN_ATTESTATIONS: 'Countersign and withdraw attestations of others.',
    }),
  },
  actions: {
    CONTROL_ATTESTED: toMembers('control.attested', 'The owner of a control attested that it is in place.'),
    ATTESTATION_COUNTERSIGNED: toMembers(
      'control.attestation_countersigned',
      'Another person countersigned the attestation of a control.',
    ),
    ATTESTATION_STALE: toMembers(
      'control.attestation_stale',
      'The evidence of an attested control, its mapping or its status is not what was attested any more.',
    ),
    ATTESTATION_WITHDRAWN: toMembers('control.attestation_withdrawn', 'The attestation of a control was withdrawn.'),
  },
} as const;
