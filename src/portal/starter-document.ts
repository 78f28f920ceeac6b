/** Where a caller's token goes (specification 5.1). */
export const TOKEN_HEADER = 'X-Service-Token';

/** What both explorers open with: it runs as it is with any token, also on the demo data. */
export const STARTER_DOCUMENT = `# Welcome. Two steps to a first answer:
#
# 1. Put your token between the quotes in
#    "Headers" below. The demo prints the owner's
#    when it starts; demo.json has all of them.
# 2. Put the cursor into a query and press
#    Ctrl+Enter (on a Mac: Cmd+Enter).
#
# Ctrl+Space suggests fields; the documentation
# pane describes every one of them.

# Who am I, and what may I do where?
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

# How far are we with our workflows?
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

# What happens from now on?
subscription Live {
  notificationAdded {
    id
    title
    message
    organization {
      name
    }
  }
}
`;
