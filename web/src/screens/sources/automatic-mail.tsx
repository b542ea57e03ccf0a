import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Output, useChange } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { notifyDone } from '../../shell/notify.tsx'

type AutomaticMails = Output<'source_health'>['automatic_mail']

const KINDS: Readonly<Record<string, string>> = {
  delivery_report: t('Report about other mail'),
  automatic_reply: t('Automatic reply'),
  read_receipt: t('Read receipt'),
  calendar_reply: t('Answer to an invitation'),
}

interface Props {
  readonly mails: AutomaticMails
  readonly canEdit: boolean
}

/** Mail that a program wrote: how much, why, and for each the way to make it a signal. */
export const AutomaticMail = ({ mails: { waiting, last_at: last, kinds, items }, canEdit }: Props) => {
  if (waiting === 0 || last === null) return null
  return (
    <Stack component="section" gap="sm" aria-label={t('Automatic mail')}>
      <Title order={4} size="h3">
        {t('Automatic mail')}
      </Title>
      <Text size="sm" c="dimmed">
        {kinds.map(({ kind, count }) => `${count.toLocaleString(language)} × ${KINDS[kind] ?? kind}`).join(', ')}
        {' · '}
        <When at={last} />
      </Text>
      {items.map(mail => (
        <Mail key={mail.signal_id} mail={mail} canEdit={canEdit} />
      ))}
    </Stack>
  )
}

interface MailProps {
  readonly mail: AutomaticMails['items'][number]
  readonly canEdit: boolean
}

const Mail = ({ mail: { signal_id: id, at, kind, reason, subject, sender }, canEdit }: MailProps) => {
  const [sent, setSent] = useState(false)
  const making = useChange('replay_dead_letters', {
    invalidates: ['source_health', 'inspect_pipeline', 'list_jobs'],
    onSuccess: () => {
      setSent(true)
      notifyDone(t('It goes through the pipeline as a signal.'))
    },
  })
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{subject || KINDS[kind] || kind}</bdi>
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {sender !== null && <bdi>{sender} · </bdi>}
          <When at={at} /> · {reason ?? KINDS[kind] ?? kind}
        </Text>
      </div>
      {canEdit && !sent && (
        <Button
          size="xs"
          variant="default"
          loading={making.isPending}
          onClick={() => making.mutate({ signal_id: id, fault: 'automatic' })}
        >
          {t('Make it a signal')}
        </Button>
      )}
    </Group>
  )
}
