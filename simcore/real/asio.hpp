// SPDX-License-Identifier: MIT
//
// The parts of Boost.Asio that are used here. One of its headers uses std::exchange without its header.
#pragma once

#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
