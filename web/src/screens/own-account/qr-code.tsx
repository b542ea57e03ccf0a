import encodeQR from 'qr'
import { t } from '../../language/messages.ts'
import classes from './qr-code.module.css'

const QUIET = 4

/** A text as a QR code, dark on light in every theme, as cameras want it. */
export const QrCode = ({ text }: { readonly text: string }) => {
  const rows = encodeQR(text, 'raw', { border: QUIET })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={t('QR code for your authenticator app')}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" className={classes.ground} />
      <path d={path} className={classes.ink} />
    </svg>
  )
}
