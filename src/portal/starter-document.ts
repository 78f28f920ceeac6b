/** Where a caller's token goes (specification 5.1). */
export const TOKEN_HEADER = 'X-Service-Token';

/** What both explorers open with: it runs as it is with any token, also on the demo data. */
export const STARTER_DOCUMENT = `# Welcome. Two steps to a first answer:
#
# 1. Open "Headers" below and put your token between the quotes:
#      { "${TOKEN_HEADER}": "scp_..." }
#    The demo prints the owner's token when it starts; the others are in demo.json.
# 2. Put the cursor into a query and press Ctrl+Enter (on a Mac: Cmd+Enter).
#
# Ctrl+Space suggests fields. Every field is described in the documentation pane.

# Who am I, and what may I do in which organization?
query WhoAmI {
  viewer {
    user {
      username
      email
    }
    organizations(first: 10) {
      totalCount
      nodes {
        role
        privileges
        organization {
          id
          name
        }
      }
    }
  }
}

# How far are my organizations with their workflows?
query Progress {
  viewer {
    organizations(first: 5) {
      nodes {
        organization {
          name
          workflows(first: 10) {
            nodes {
              name
              progress {
                total
                done
                inProgress
                toDo
                notApplicable
              }
            }
          }
        }
      }
    }
  }
}

# What has happened lately?
query Latest {
  notifications(first: 5) {
    totalCount
    nodes {
      datetime
      title
      message
      read
      organization {
        name
      }
    }
  }
}
`;
