import { type MailedIntake, type SourceKindDescription, WEBHOOKS } from './kind.ts'

/** Mail that is forwarded to a workspace's ingestion address. */
export const email: SourceKindDescription<MailedIntake> = {
  intake: {
    reachedBy: 'mail',
    path: `${WEBHOOKS}email-ingest`,
    contentTypes: ['message/rfc822'],
    maxBodyBytes: 10 * 1024 * 1024,
    limit: { requests: 50, seconds: 3600 },
  },
  createdBy: 'person',
  oneOnly:
    'This workspace has its ingestion address already: everybody forwards to it. replace_ingestion_address gives it another.',
  connectables: [
    {
      code_host: null,
      title: 'Ingestion address for mail',
      accepts: 'Mail that people or rules forward; quotes, signatures and automatic answers are recognized.',
      words:
        'email e-mail mail gmail outlook exchange inbox mailbox imap smtp forward forwarding newsletter zendesk helpscout front support',
      steps: [
        'Forward mail to the address, or have a rule of your mailbox forward it.',
        'A mail service that asks to confirm the address first writes to it: its code arrives in Triage like any mail.',
      ],
    },
  ],
  form: {
    label: 'E-mail',
    about: 'Mail that is forwarded to its address becomes signals. A workspace has one address.',
    icon: 'mail',
    exampleName: 'Forwarded mail',
    fields: [],
  },
}
