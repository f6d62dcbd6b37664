<?php
/*
 * Receives events of a lane (docs/events.md#webhooks), with nothing but PHP 7.4 or newer:
 *
 *   LANEWARE_WEBHOOK_SECRET=... php -S 127.0.0.1:8000 webhook.php
 *
 * What receives from a network stands behind TLS. Prints each event once; LANEWARE_SEEN is the file of the numbers that came.
 */
const OLDEST_S = 300; // an older call may be one that somebody has recorded

$secret = (string) getenv('LANEWARE_WEBHOOK_SECRET');
if ($secret === '') { // php-fpm passes no variables on unless clear_env says so
    http_response_code(500);
    exit('LANEWARE_WEBHOOK_SECRET is not set');
}

function isOurs(string $header, string $body, string $secret): bool
{
    if (!preg_match('/^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/D', $header, $found)) {
        return false;
    }
    if (abs(time() - (int) $found[1]) > OLDEST_S) {
        return false;
    }
    $right = hash_hmac('sha256', "$found[1].$body", $secret);
    foreach (explode(',v1=', substr($found[2], 4)) as $signed) {
        if (hash_equals($right, $signed)) {
            return true;
        }
    }
    return false;
}

/** Stores an event that comes for the first time, and only then writes its number down. */
function storeOnce(array $event): void
{
    $file = fopen(getenv('LANEWARE_SEEN') ?: 'laneware-seen.txt', 'c+');
    flock($file, LOCK_EX);
    if (!in_array("{$event['number']}", explode("\n", stream_get_contents($file)), true)) {
        file_put_contents('php://stdout', "{$event['type']} {$event['payment']['id']}\n"); // store it here, before the answer
        fwrite($file, "{$event['number']}\n");
    }
    fclose($file);
}

$body = file_get_contents('php://input');
if (!isOurs($_SERVER['HTTP_LANEWARE_SIGNATURE'] ?? '', $body, $secret)) {
    http_response_code(403);
    return;
}
$event = json_decode($body, true);
if ($event['type'] !== 'test') {
    storeOnce($event);
}
http_response_code(204);
