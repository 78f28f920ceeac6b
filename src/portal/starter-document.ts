/** What both explorers open with: runs unchanged with any token, also on the demo data. */
export const STARTER_DOCUMENT = `# 1. Put your token between the quotes in
#    "Headers" below. The demo prints its
#    owner's token when it starts.
# 2. Put the cursor into a query and press
#    Ctrl+Enter (on a Mac: Cmd+Enter).
#
# Ctrl+Space suggests fields. The pane
# "Documentation" describes every type.

# The caller and its organizations.
query WhoAmI {
  viewer {
    user { username email }
    organizations(first: 10) {
      totalCount
      nodes {
        role
        privileges
        organization { id name }
      }
    }
  }
}

# Progress of the workflows.
query Progress {
  viewer {
    organizations(first: 5) {
      nodes {
        organization {
          name
          workflows(first: 10) {
            nodes {
              name
              progress { total done toDo }
            }
          }
        }
      }
    }
  }
}

# The newest notifications.
query Latest {
  notifications(first: 5) {
    totalCount
    nodes { datetime title message read }
  }
}

# New notifications as they arrive.
subscription Live {
  notificationAdded { id title message }
}
`;
