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

  fragment Alerts on Alerts {
    atb
    cloud_defender: cloudDefender
    v_ciso: vCiso
  }

  fragment OrganizationMember on OrganizationUser {
    id: userId
    username
    email
    first_name: firstName
    last_name: lastName
    role
    alerts {
      ...Alerts
    }
    active
    joined_at: joinedAt
    deactivated_at: deactivatedAt
    viewer_can: viewerCan {
      assign_roles: assignRoles
      set_active: setActive
      remove
    }
  }

  fragment Profile on User {
    id
    username
    email
    first_name: firstName
    last_name: lastName
    created_at: createdAt
  }
`;
