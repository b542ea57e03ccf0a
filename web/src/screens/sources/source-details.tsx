import { Badge, Box, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from 'react-router'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { When } from '../../parts/when.tsx'
import { kindOf } from './kinds.ts'
import type { Revealed } from './revealed-source.tsx'
import { SendTest } from './send-test.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceHealth } from './source-health.tsx'
import type { Source } from './source-table.tsx'

interface Props {
  /** Undefined: none is open. */
  readonly source: Source | undefined
  readonly canEdit: boolean
  readonly onRevealed: (revealed: Revealed) => void
}

/** One source: its address, how it is doing, a test, and what can be done with it. */
export const SourceDetails = ({ source, canEdit, onRevealed }: Props) => {
  const navigate = useNavigate()
  const close = () => navigate('/app/settings/sources')
  return (
    <Drawer opened={source !== undefined} onClose={close} position="right" size="lg" title={<bdi>{source?.name}</bdi>}>
      {source !== undefined && (
        <Stack gap="lg">
          <Facts source={source} />
          <SourceHealth id={source.id} />
          {canEdit && <SendTest source={source} />}
          {canEdit && <SourceActions source={source} onRevealed={onRevealed} onDeleted={close} />}
        </Stack>
      )}
    </Drawer>
  )
}

const Facts = ({ source }: { readonly source: Source }) => {
  const { url, address, settings, paused_at, previous_secret_valid_until: until } = source
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {rich('{label}, created {when}, in metrics {metrics_label}', {
            label: kindOf(source).label,
            when: <When at={source.created_at} />,
            metrics_label: <code>{source.metrics_label}</code>,
          })}
        </Text>
        {paused_at !== null && (
          <Badge variant="light" color="yellow" tt="none">
            {t('paused')}
          </Badge>
        )}
      </Group>
      {url !== null && <Copyable label="URL" text={url} />}
      {address !== null && <Copyable label={t('Address')} text={address} />}
      {url === null && address === null && (
        <Text size="sm">{t('This installation takes no mail: its operator has to set INGEST_MAIL_DOMAIN.')}</Text>
      )}
      {paused_at !== null && (
        <Text size="sm">
          {rich('Paused {when}: its senders are told to come back later.', { when: <When at={paused_at} /> })}
        </Text>
      )}
      {until !== null && (
        <Text size="sm">
          {t('The secret before the last rotation is accepted until {value}.', {
            value: new Date(until).toLocaleString(),
          })}
        </Text>
      )}
      {settings.mapping !== undefined && (
        <Box>
          <Title order={3} size="h3" mb="xs">
            {t('Mapping')}
          </Title>
          <Text
            component="dl"
            size="sm"
            m={0}
            style={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', gap: '4px 16px' }}
          >
            {Object.entries(settings.mapping).map(([field, pointer]) => (
              <Box key={field} style={{ display: 'contents' }}>
                <Text component="dt" size="sm" c="dimmed">
                  {field}
                </Text>
                <Text component="dd" size="sm" m={0} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {pointer}
                </Text>
              </Box>
            ))}
          </Text>
        </Box>
      )}
    </Stack>
  )
}
