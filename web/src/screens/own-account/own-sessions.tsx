import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type OwnSession, readSessions, SESSIONS_KEY, useAccountChange } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { moment } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { browserName } from './browser-name.ts'

/** Where the person is signed in, and the way to end it there. */
export const OwnSessions = () => {
  const { data, error, refetch } = useQuery({ queryKey: SESSIONS_KEY, queryFn: readSessions })
  const ending = useAccountChange('revoke-other-sessions', {
    onSuccess: () => notifyDone(t('You are signed in here alone.')),
  })
  return (
    <Section
      title={t('Sessions')}
      about={t('Where you are signed in. One that you do not know: end it, and change your password.')}
    >
      {data === undefined &&
        (error === null ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && <SessionTable sessions={data} />}
      {data !== undefined && data.length > 1 && (
        <Button
          mt="sm"
          variant="default"
          loading={ending.isPending}
          onClick={() => ending.mutate({}, { onError: notifyFailed })}
        >
          {t('End all others')}
        </Button>
      )}
    </Section>
  )
}

const SessionTable = ({ sessions }: { readonly sessions: readonly OwnSession[] }) => {
  const ending = useAccountChange<{ id: string }>('revoke-session', {
    onSuccess: () => notifyDone(t('The session has ended.')),
  })
  return (
    <ScrollingTable minWidth={480} label={t('Sessions')}>
      <Table aria-label={t('Sessions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Browser')}</Table.Th>
            <Table.Th w={160}>{t('Address')}</Table.Th>
            <Table.Th w={130}>{t('Signed in')}</Table.Th>
            <QuietHead w={90} label={t('End')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map(({ id, current, created_at, address, browser }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <bdi title={browser ?? ''}>{browserName(browser)}</bdi>
                {current && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {t('this one')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{address ?? '–'}</Table.Td>
              <Table.Td>
                <When at={created_at} />
              </Table.Td>
              <Table.Td ta="end">
                {!current && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    loading={ending.isPending && ending.variables.id === id}
                    onClick={() => ending.mutate({ id }, { onError: notifyFailed })}
                    aria-label={t('End the session of {browser}, signed in on {when}', {
                      browser: browserName(browser),
                      when: moment(created_at),
                    })}
                  >
                    {t('End')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollingTable>
  )
}
