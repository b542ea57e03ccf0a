import { Box, Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { EmailForm } from './lost-access.tsx'

type Administrator = Output<'list_administrators'>['items'][number]

interface Props {
  readonly administrators: readonly Administrator[]
  readonly youAdminister: boolean
}

export const Administrators = ({ administrators, youAdminister }: Props) => {
  const [leaving, setLeaving] = useState<Administrator | null>(null)
  const isLast = administrators.filter(({ disabled }) => !disabled).length === 1
  return (
    <Section
      title={t('Administrators')}
      about={t(
        'They pause and resume the pipeline, see which workspaces there are but not what is in them, and can share this role.',
      )}
    >
      <ScrollingTable minWidth={420} label={t('Administrators')}>
        <Table aria-label={t('Administrators')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Name')}</Table.Th>
              <Table.Th w={130}>{t('Since')}</Table.Th>
              {youAdminister && <QuietHead w={120} label={t('Remove role')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {administrators.map(administrator => (
              <Table.Tr key={administrator.user_id}>
                <Table.Td>
                  <Who of={administrator} />
                </Table.Td>
                <Table.Td>
                  <When at={administrator.since} />
                </Table.Td>
                {youAdminister && (
                  <Table.Td ta="end">
                    {!(isLast && !administrator.disabled) && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        onClick={() => setLeaving(administrator)}
                        aria-label={
                          administrator.is_you
                            ? t('Give up the role')
                            : t('Remove role from {name}', { name: administrator.name })
                        }
                      >
                        {administrator.is_you ? t('Give up') : t('Remove role')}
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollingTable>
      {youAdminister && <MakeAdministrator />}
      <TakeBack of={leaving} onClose={() => setLeaving(null)} />
    </Section>
  )
}

const Who = ({ of: { name, email, is_you, disabled } }: { readonly of: Administrator }) => (
  <>
    <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={name}>
      {name}
      {is_you && (
        <Text span size="xs" c="dimmed" fw={400}>
          {' '}
          {t('you')}
        </Text>
      )}
    </Text>
    {(email !== null || disabled) && (
      <Text component="bdi" size="xs" c="dimmed" display="block">
        {[...(email === null ? [] : [email]), ...(disabled ? [t('disabled')] : [])].join(' · ')}
      </Text>
    )}
  </>
)

const TakeBack = ({
  of: administrator,
  onClose,
}: {
  readonly of: Administrator | null
  readonly onClose: () => void
}) => {
  const removing = useChange('remove_administrator', {
    invalidates: ['list_administrators', 'list_audit_log', 'watch_pipeline'],
    onSuccess: () => {
      notifyDone(t('The role is removed.'))
      onClose()
    },
  })
  return (
    <Confirm
      opened={administrator !== null}
      title={administrator?.is_you === true ? t('Give the role up?') : t('Remove the role?')}
      action={administrator?.is_you === true ? t('Give up') : t('Remove role')}
      change={removing}
      onConfirm={() => administrator !== null && removing.mutate({ user_id: administrator.user_id })}
      onClose={onClose}
    >
      {rich('From now on, {name} no longer administers this installation. Their account and workspaces stay.', {
        name: <bdi>{administrator?.name}</bdi>,
      })}
    </Confirm>
  )
}

/** Shares the role with somebody who has an account, or hands it over. */
const MakeAdministrator = () => {
  const form = useNewForm('new administrator', { email: '' })
  const { email } = form.values
  const [handingOver, setHandingOver] = useState(false)
  const making = useChange('make_administrator', {
    invalidates: ['list_administrators', 'list_audit_log', 'watch_pipeline'],
    onSuccess: ({ name }) => {
      form.forget()
      setHandingOver(false)
      notifyDone(rich('{name} administers this installation from now on.', { name: <bdi>{name}</bdi> }))
    },
  })
  return (
    <Box mt="md">
      <EmailForm
        label={t('Make an administrator')}
        description={t('The e-mail of somebody who has an account here.')}
        form={form}
        onSubmit={() => making.mutate({ email })}
      >
        <Button type="submit" loading={making.isPending && !handingOver}>
          {t('Share the role')}
        </Button>
        <TellingButton
          variant="default"
          missing={email.trim() === '' ? t('Write somebody’s e-mail first.') : null}
          onClick={() => setHandingOver(true)}
        >
          {t('Transfer')}
        </TellingButton>
      </EmailForm>
      {making.error !== null && !handingOver && <ErrorState error={making.error} title={t('Nothing was changed')} />}
      <Confirm
        opened={handingOver}
        title={t('Transfer the administration?')}
        action={t('Transfer')}
        change={making}
        onConfirm={() => making.mutate({ email, transfer_role: true })}
        onClose={() => setHandingOver(false)}
      >
        {rich('{email} administers this installation in your place. You cannot take it back by yourself.', {
          email: <bdi>{email}</bdi>,
        })}
      </Confirm>
    </Box>
  )
}
