import { Select, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Input, useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { When } from '../../parts/inline.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'

type Every = Input<'set_digest'>['every']

const CHOICES: readonly { readonly value: Every; readonly label: string }[] = [
  { value: 'never', label: t('Never') },
  { value: 'daily', label: t('Every day') },
  { value: 'weekly', label: t('Every week') },
]

/** How often a member gets a mail of what changed here. Each has their own choice, in each workspace. */
export const Digest = () => {
  const { data, error, refetch } = useOperation('read_digest', {})
  const choosing = useChange('set_digest', {
    invalidates: ['read_digest'],
    onSuccess: ({ every }) =>
      notifyDone(
        every === 'never' ? t('You get no more of these mails.') : t('You get a mail when something changed.'),
      ),
    onError: notifyFailed,
  })
  const mayChoose = data?.mail === 'ready' || (data !== undefined && data.every !== 'never')
  return (
    <Section
      title={t('What changed, by mail')}
      about={t('New claims, Decisions, Outcomes and what waits for somebody here. No mail when nothing changed.')}
    >
      {data === undefined &&
        (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <Stack gap="xs">
          {data.mail === 'no_mail' && (
            <Text size="sm">{t('This installation sends no mail. Its operator can set a mail server.')}</Text>
          )}
          {data.mail === 'unconfirmed_address' && (
            <Text size="sm">
              {rich('Your address is not confirmed yet. {account} sends you a link.', {
                account: <Link to="/app/settings/account">{t('Settings → Account')}</Link>,
              })}
            </Text>
          )}
          {mayChoose && (
            <Select
              label={t('A mail to you')}
              data={[...CHOICES]}
              value={choosing.isPending ? choosing.variables.every : data.every}
              onChange={every => {
                const chosen = CHOICES.find(({ value }) => value === every)
                if (chosen !== undefined && !choosing.isPending) choosing.mutate({ every: chosen.value })
              }}
              allowDeselect={false}
              maw={240}
            />
          )}
          {data.next_at !== null && (
            <Text size="sm" c="dimmed">
              {rich('The next one comes {when}, if something changed.', { when: <When at={data.next_at} /> })}
            </Text>
          )}
        </Stack>
      )}
    </Section>
  )
}
