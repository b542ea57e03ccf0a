import { Alert } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { arrivedOf, onTheirWay } from './arrivals.ts'

/** While signals arrive, and while none do. */
const REFRESH_MS = { arriving: 2000, resting: 15_000 }
const NEWEST = 10

/** While signals of an import are on their way, says how many are there: what is found of half a file is half of it. */
export const Arriving = () => {
  const [isAwaited, setAwaited] = useState(false)
  const refresh_ms = isAwaited ? REFRESH_MS.arriving : REFRESH_MS.resting
  const { data } = useOperation('list_transfers', { limit: NEWEST }, { refresh_ms })
  const moving = (data?.items ?? []).flatMap(transfer => onTheirWay(transfer) ?? [])
  const isArriving = moving.length > 0
  useEffect(() => setAwaited(isArriving), [isArriving])
  if (!isArriving) return null
  const sum = moving.reduce((all, { arrived, signals }) => ({
    arrived: all.arrived + arrived,
    signals: all.signals + signals,
  }))
  return (
    <Alert variant="default" p="sm" mb="sm" role="note" icon={<IconDatabaseImport size={18} aria-hidden />}>
      {t('An import is still on its way: {so_far} Its themes are found when all of them have.', {
        so_far: arrivedOf(sum),
      })}
    </Alert>
  )
}
