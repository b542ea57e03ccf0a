import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import type { SourceIdentity } from './source-address.ts'

/** What a person does with what creating a source answered, step by step. */
export const setupSteps = ({ kind, code_host: codeHost }: Pick<SourceIdentity, 'kind' | 'code_host'>): string[] => {
  if (codeHost !== null) return CODE_HOST_STEPS[codeHost]
  switch (kind) {
    case 'metric':
      return [
        'Post {"value": number} to the URL, with the secret as the bearer token; occurred_at dates a point of the past.',
        'Bind the metric to a node of the product map: the node then shows the newest value.',
      ]
    case 'email':
      return [
        'Forward mail to the address, or have a rule of your mailbox forward it.',
        'A mail service that asks to confirm the address first writes to it: its code arrives in Triage like any mail.',
      ]
    case 'connection':
      return [
        'Give the URL and the secret to whatever sends Standard Webhooks.',
        'Its data is a signal ({"text": …}), unless a mapping says where a signal’s fields are.',
      ]
    default:
      return [
        'Post each signal as JSON to the URL, with the signature of the raw body in X-Service-Signature.',
        'Senders share the one signal webhook and tell themselves apart by the field "source".',
      ]
  }
}

const CODE_HOST_STEPS: Readonly<Record<CodeHost, string[]>> = {
  github: [
    'In the repository or organization open Settings → Webhooks → Add webhook.',
    'Paste the URL into “Payload URL” and the secret into “Secret”; choose the content type application/json.',
    'Choose “Let me select individual events”: Pushes, Pull requests, Releases, Deployments.',
    'Save. GitHub sends a ping; Recent Deliveries shows it answered with 200.',
  ],
  gitea: [
    'In the repository or organization open Settings → Webhooks → Add Webhook → Gitea.',
    'Paste the URL into “Target URL” and the secret into “Secret”; keep POST and application/json.',
    'Choose “Custom Events…”: Push, Pull Request, Release.',
    'Save, open the webhook again and choose “Test Delivery”: it is answered with 200.',
  ],
  forgejo: [
    'In the repository or organization open Settings → Webhooks → Add webhook → Forgejo.',
    'Paste the URL into “Target URL” and the secret into “Secret”; keep POST and application/json.',
    'Choose “Custom events…”: Push, Pull request, Release.',
    'Save, open the webhook again and choose “Test delivery”: it is answered with 200.',
  ],
}
