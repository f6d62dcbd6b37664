"""What training pulls together and pushes apart; all on vectors of length one."""

import tensorflow as tf


def proxy_loss(vectors, labels, proxies, scale: float, margin: float):
    """Softmax over the cosines to one learned proxy an item; its own cosine must lead by `margin`."""
    cosines = vectors @ tf.transpose(tf.math.l2_normalize(proxies, axis=1))
    own = tf.one_hot(labels, proxies.shape[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scale * (cosines - margin * own)))


def contrastive_loss(vectors, labels, groups, temperature: float, hardness: float):
    """Supervised contrast within the batch (arXiv 2004.11362); a look-alike counts as e^hardness other negatives."""
    size = tf.shape(labels)[0]
    itself = tf.eye(size)
    same = tf.cast(labels[:, None] == labels[None, :], tf.float32) - itself
    alike = tf.cast(groups[:, None] == groups[None, :], tf.float32) * (1 - same - itself)
    logits = vectors @ tf.transpose(vectors) / temperature + hardness * alike - 1e9 * itself
    logs = logits - tf.reduce_logsumexp(logits, axis=1, keepdims=True)
    positives = tf.reduce_sum(same, axis=1)
    loss = -tf.reduce_sum(same * logs, axis=1) / tf.maximum(positives, 1)
    return tf.reduce_sum(loss) / tf.maximum(tf.reduce_sum(tf.cast(positives > 0, tf.float32)), 1)
