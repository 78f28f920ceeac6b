export const MEMBERS_FRAGMENTS = /* GraphQL */ `
  fragment OrganizationUser on OrganizationUser {
    id: userId
    username
    email
    first_name: firstName
    last_name: lastName
    role
    alerts {
      atb
      cloud_defender: cloudDefender
      v_ciso: vCiso
    }
  }
`;
