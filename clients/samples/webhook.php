<?php
/*
 * Receives events of a lane (docs/events.md#webhooks), with nothing but PHP 7.4 or newer:
 *
 *   LANEWARE_WEBHOOK_SECRET=... php -S 127.0.0.1:8000 webhook.php
 *
 * What receives from a network stands behind TLS. Prints each event once; LANEWARE_SEEN is the file of the numbers that came.
 */
const OLDEST_S = 300; // an older call may be one that somebody has recorded

function isOurs(string $header, string $body): bool
{
    if (!preg_match('/^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/D', $header, $found)) {
        return false;
    }
    if (abs(time() - (int) $found[1]) > OLDEST_S) {
        return false;
    }
    $right = hash_hmac('sha256', "$found[1].$body", getenv('LANEWARE_WEBHOOK_SECRET'));
    foreach (explode(',v1=', substr($found[2], 4)) as $signed) {
        if (hash_equals($right, $signed)) {
            return true;
        }
    }
    return false;
}

/** Whether it comes for the first time: its number is written down. */
function isNew(int $number): bool
{
    $file = fopen(getenv('LANEWARE_SEEN') ?: 'laneware-seen.txt', 'c+');
    flock($file, LOCK_EX);
    $isNew = !in_array("$number", explode("\n", stream_get_contents($file)), true);
    if ($isNew) {
        fwrite($file, "$number\n");
    }
    fclose($file);
    return $isNew;
}

$body = file_get_contents('php://input');
if (!isOurs($_SERVER['HTTP_LANEWARE_SIGNATURE'] ?? '', $body)) {
    http_response_code(403);
    return;
}
$event = json_decode($body, true);
if ($event['type'] !== 'test' && isNew($event['number'])) {
    file_put_contents('php://stdout', "{$event['type']} {$event['payment']['id']}\n"); // store it here, before the answer
}
http_response_code(204);
