const KINDS = {
  signal: {
    label: 'Signal webhook',
    about: 'Any program posts signals to it as JSON, signed. A workspace has one; senders share it.',
  },
  metric: {
    label: 'Metric webhook',
    about: 'Posts values of one metric, which map nodes can show. It makes no signals.',
  },
  code_host: {
    label: 'Code host',
    about: 'Pushes, pull requests, releases and deployments become signals.',
  },
  email: {
    label: 'E-mail',
    about: 'Mail that is forwarded to its address becomes signals. A workspace has one address.',
  },
  connection: {
    label: 'Connection',
    about: 'Anything that sends Standard Webhooks. A mapping says where a signal’s fields are in it.',
  },
}

const HOSTS = { github: 'GitHub', gitea: 'Gitea', forgejo: 'Forgejo' }

/** What people are told of a source's kind. */
export const kindOf = ({ kind, code_host: codeHost }) => ({
  ...KINDS[kind],
  ...(codeHost && { label: HOSTS[codeHost] }),
})

/** The fields of a signal that a connection's mapping can find. */
export const MAPPED_FIELDS = [
  'text',
  'source',
  'source_url',
  'occurred_at',
  'actor_name',
  'actor_email',
  'signal_origin',
  'actor_role',
  'metadata',
]
