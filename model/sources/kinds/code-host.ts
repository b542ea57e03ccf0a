import { Type } from 'typebox'
import type { SourceIcon } from '../../../schemas/domain/source-form.ts'
import { CODE_HOSTS, type CodeHost } from '../../../schemas/domain/vocabulary.ts'
import type { Connectable, PostedIntake, SourceKindDescription } from './kind.ts'

interface Host {
  readonly label: string
  /** The host's own event header beside GitHub's; null without one. */
  readonly headerName: string | null
  readonly icon: SourceIcon
  readonly sends: string
  readonly words: string
  readonly steps: readonly string[]
}

/** Facts of each host. */
export const HOSTS: Readonly<Record<CodeHost, Host>> = {
  github: {
    label: 'GitHub',
    headerName: null,
    icon: 'github',
    sends: 'Pushes, pull requests, releases and deployments.',
    words: 'github',
    steps: [
      'In the repository or organization open Settings → Webhooks → Add webhook.',
      'Paste the URL into “Payload URL” and the secret into “Secret”; choose the content type application/json.',
      'Choose “Let me select individual events”: Pushes, Pull requests, Releases, Deployments.',
      'Save. GitHub sends a ping; Recent Deliveries shows it answered with 200.',
    ],
  },
  gitea: {
    label: 'Gitea',
    headerName: 'Gitea',
    icon: 'branch',
    sends: 'Pushes, pull requests and releases.',
    words: 'gitea',
    steps: [
      'In the repository or organization open Settings → Webhooks → Add Webhook → Gitea.',
      'Paste the URL into “Target URL” and the secret into “Secret”; keep POST and application/json.',
      'Choose “Custom Events…”: Push, Pull Request, Release.',
      'Save, open the webhook again and choose “Test Delivery”: it is answered with 200.',
    ],
  },
  forgejo: {
    label: 'Forgejo',
    headerName: 'Forgejo',
    icon: 'branch',
    sends: 'Pushes, pull requests and releases.',
    words: 'forgejo codeberg',
    steps: [
      'In the repository or organization open Settings → Webhooks → Add webhook → Forgejo.',
      'Paste the URL into “Target URL” and the secret into “Secret”; keep POST and application/json.',
      'Choose “Custom events…”: Push, Pull request, Release.',
      'Save, open the webhook again and choose “Test delivery”: it is answered with 200.',
    ],
  },
}

const connectable = (host: CodeHost): Connectable => {
  const { label, sends, words, steps } = HOSTS[host]
  return {
    code_host: host,
    title: `${label} webhook`,
    accepts: `${sends} A pull request that names SOL-12 proposes a handoff.`,
    words: `${words} git code repository pull request push release deployment commit`,
    steps,
  }
}

/** A code host's webhook, with the host's own payloads. */
export const codeHost: SourceKindDescription<PostedIntake> = {
  intake: {
    reachedBy: 'post',
    segment: host => host ?? '{code_host}',
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
    maxBodyBytes: 25 * 1024 * 1024,
    limit: { requests: 500, seconds: 60 },
    proof: { scheme: 'hmac', header: 'X-Hub-Signature-256' },
    headers: [
      {
        name: 'X-GitHub-Event',
        description: 'The event. Gitea’s and Forgejo’s own X-Gitea-Event and X-Forgejo-Event count before it.',
        required: true,
      },
      {
        name: 'X-GitHub-Delivery',
        description: 'The delivery, or X-Gitea-Delivery, X-Forgejo-Delivery: sent again, it is the same event.',
        required: false,
      },
    ],
    body: Type.Object({}, { description: 'The host’s own event payload.' }),
    answer: {
      properties: {
        event: { type: 'string' },
        snippet_id: { type: 'string', format: 'uuid' },
        ignored: { type: 'boolean' },
      },
      required: ['event'],
    },
    operation: {
      id: 'receive_code_host_event',
      summary: 'Send an event of a code host',
      description: 'Takes push, pull_request, release and deployment; other events are answered with ignored.',
    },
    // Every host sends a ping when its webhook is created. A ping makes no signal.
    example: ({ code_host: host, id }) => ({
      headers: { ...(host === null ? {} : eventHeaders(host, 'ping', id)) },
      body: JSON.stringify({ zen: 'Keep it logically awesome.', hook_id: 1 }),
    }),
    expectedResponse: '200 with {"ok": true}: a ping, which leaves nothing.',
    sample: {
      headers: { 'X-GitHub-Event': 'push' },
      body: '{"ref":"refs/heads/main","repository":{"full_name":"o/r"},"commits":[{"id":"1","message":"Fix it"}]}',
    },
  },
  createdBy: 'person',
  oneOnly: null,
  connectables: CODE_HOSTS.map(host => connectable(host)),
  form: {
    label: 'Code host',
    about: 'Pushes, pull requests, releases and deployments become signals.',
    icon: 'branch',
    exampleName: 'acme/shop',
    fields: ['code_host'],
  },
}

/** Hosts derived from Gitea send their headers under their own names and under GitHub's. */
const eventHeaders = (host: CodeHost, event: string, delivery: string): Record<string, string> => {
  const { headerName } = HOSTS[host]
  return {
    ...(headerName !== null && { [`X-${headerName}-Event`]: event, [`X-${headerName}-Delivery`]: delivery }),
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': delivery,
  }
}
